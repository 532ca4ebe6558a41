package gargon

// The kinds of decisions.
const (
	KindPlay   = "play"
	KindBattle = "battle"
	KindDraw   = "draw"
)

// Rules are the options of a game, from Rules of [arena/sdk.Start].
type Rules struct {
	OpenWinnings bool  `msgpack:"open_winnings"` // won cards lie open for all to see
	Amulets      []int `msgpack:"amulets"`       // on the cards of value 1 to 12
}

// View is what a seat sees, from View of [arena/sdk.Question]. Lists with one entry per seat
// start with seat 0.
type View struct {
	Seat     int      `msgpack:"seat"`     // your seat
	Turn     int      `msgpack:"turn"`     // the seat that has to decide, -1 after the end
	Kind     string   `msgpack:"kind"`     // what it has to decide, empty after the end
	Round    int      `msgpack:"round"`    // the number of the round, from 0
	Starter  int      `msgpack:"starter"`  // the starter of the round
	Shape    []int    `msgpack:"shape"`    // the starter's shape, most first; nil until he has played
	Passed   []bool   `msgpack:"passed"`   // who passed in this round
	Hand     []int    `msgpack:"hand"`     // your cards, ascending
	Hands    []Counts `msgpack:"hands"`    // every hand by the colours on the backs
	Played   []Counts `msgpack:"played"`   // the cards before each seat on the table, by colour
	Table    [][]int  `msgpack:"table"`    // those cards; nil while they lie face down to you
	Stacks   [2][]int `msgpack:"stacks"`   // the colours on the backs of both stacks, the top card first
	Won      [][]int  `msgpack:"won"`      // the piles of won cards; nil where you may not look
	Discards []int    `msgpack:"discards"` // all discarded cards
	Fighting int      `msgpack:"fighting"` // the colour of the battle going on, -1 if none
	Drawing  []int    `msgpack:"drawing"`  // who still draws a card for the one he lost, in order
}

// Seats is the number of seats.
func (view *View) Seats() int { return len(view.Hands) }

// SeatsAfter are the seats that play or pass after yours in this round, in their order.
func (view *View) SeatsAfter() []int {
	var after []int
	for seat := (view.Seat + 1) % view.Seats(); seat != view.Starter; seat = (seat + 1) % view.Seats() {
		after = append(after, seat)
	}
	return after
}

// Event is one of the events from Events of [arena/sdk.Question]. Its field Event is its name;
// fields that the event does not have are zero or nil.
type Event struct {
	Event   string  `msgpack:"event"`
	Seat    int     `msgpack:"seat"`
	Round   int     `msgpack:"round"`   // round
	Starter int     `msgpack:"starter"` // round
	Colour  int     `msgpack:"colour"`  // battle, drew
	Colours []int   `msgpack:"colours"` // dealt, played, passed: the colours of the cards
	Cards   []int   `msgpack:"cards"`   // dealt, played, passed: if they are yours; fought, won
	Amounts []int   `msgpack:"amounts"` // passed: how many from each stack
	Stack   int     `msgpack:"stack"`   // drew
	Card    *int    `msgpack:"card"`    // drew: if it is yours
	Table   [][]int `msgpack:"table"`   // revealed: the cards before each seat
	Seats   []int   `msgpack:"seats"`   // fought: who, clockwise from the starter
	Winner  int     `msgpack:"winner"`  // fought: -1 if all were zeros
	Won     [][]int `msgpack:"won"`     // scored: the piles of won cards
	Scores  []int   `msgpack:"scores"`  // scored: points by seat
}
