package castors

// The kinds of decisions.
const (
	KindTurn = "turn"
	KindCard = "card"
	KindCall = "call"
)

// Rules are the options of a game, from Rules of [arena/sdk.Start].
type Rules struct {
	Laps int `msgpack:"laps"` // laps after which a deal ends even if nobody has called
}

// View is what a seat sees, from View of [arena/sdk.Question]. Lists with one entry per seat
// start with seat 0.
type View struct {
	Seat       int         `msgpack:"seat"`       // your seat
	Turn       int         `msgpack:"turn"`       // the seat that has to decide, -1 after the end
	Kind       string      `msgpack:"kind"`       // what it has to decide, empty after the end
	Deal       int         `msgpack:"deal"`       // the number of the deal, from 0
	Deals      int         `msgpack:"deals"`      // how many deals the game has
	Dealer     int         `msgpack:"dealer"`     // the dealer; his left neighbour began
	Moves      int         `msgpack:"moves"`      // how many turns were completed in this deal
	Caller     int         `msgpack:"caller"`     // who called the last round, -1 if nobody has
	Rows       [][Row]int  `msgpack:"rows"`       // the rows of all seats; a card that you cannot know is Unknown
	KnownBy    [][Row]int  `msgpack:"known_by"`   // the sum of 1 << seat over the seats that know the card
	Kept       [][Row]bool `msgpack:"kept"`       // whether the card was drawn and kept, so that it is a value card
	Discards   []int       `msgpack:"discards"`   // the discards, the top card last
	Pile       int         `msgpack:"pile"`       // how many cards the pile has
	Drawn      *int        `msgpack:"drawn"`      // the drawn card, Unknown if it is not yours, nil if there is none
	Rejectable bool        `msgpack:"rejectable"` // whether the drawn card can be rejected for a second one
	Pools      []Pool      `msgpack:"pools"`      // the cards that you cannot locate, by the shuffle that they came from
	RowPools   [][Row]int  `msgpack:"row_pools"`  // the pool from which each card of the rows came
	DrawnPool  int         `msgpack:"drawn_pool"` // the pool from which the drawn card came, -1 if none
	Totals     []int       `msgpack:"totals"`     // the points of the deals so far
}

// Seats is the number of seats.
func (view *View) Seats() int { return len(view.Rows) }

// OwnRow is your row.
func (view *View) OwnRow() [Row]int { return view.Rows[view.Seat] }

// TopDiscard is the open card.
func (view *View) TopDiscard() int { return view.Discards[len(view.Discards)-1] }

// Pool has the cards of which one is at this place, if you cannot know it.
func (view *View) Pool(seat, position int) *Pool { return &view.Pools[view.RowPools[seat][position]] }

// PilePool has the cards of the pile, and others of its shuffle that you cannot locate.
func (view *View) PilePool() *Pool { return &view.Pools[len(view.Pools)-1] }

// ExpectedPoints is the mean number of points of the card at this place when the deal ends. Then
// action cards are replaced from the pile.
func (view *View) ExpectedPoints(seat, position int) float64 {
	card := view.Rows[seat][position]
	if card == Unknown {
		return view.Pool(seat, position).MeanValue()
	}
	if value, has := Value(card); has {
		return float64(value)
	}
	return view.PilePool().MeanValue()
}

// Event is one of the events from Events of [arena/sdk.Question]. Its field Event is its name;
// fields that the event does not have are zero or nil.
type Event struct {
	Event         string     `msgpack:"event"`
	Seat          int        `msgpack:"seat"`
	Deal          int        `msgpack:"deal"`           // deal
	Dealer        int        `msgpack:"dealer"`         // deal
	Card          *int       `msgpack:"card"`           // deal, took, discarded, rejected; drew, peeked: if it is yours
	Positions     []int      `msgpack:"positions"`      // looked
	Cards         []int      `msgpack:"cards"`          // looked: if they are yours; replaced: set aside, the last one stayed
	Position      int        `msgpack:"position"`       // took, kept, swapped, peeked, replaced
	Discarded     int        `msgpack:"discarded"`      // took, kept: the card that left the row
	Other         int        `msgpack:"other"`          // swapped: with whom
	OtherPosition int        `msgpack:"other_position"` // swapped
	Pile          int        `msgpack:"pile"`           // reshuffled: how many cards the new pile has
	Rows          [][Row]int `msgpack:"rows"`           // counted: the rows of all seats
	Points        []int      `msgpack:"points"`         // counted: the points of this deal by seat
	Totals        []int      `msgpack:"totals"`         // counted: the points of all deals so far by seat
}
