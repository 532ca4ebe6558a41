# A bot for both games without an SDK or any library: it has all of the protocol that a bot needs.
use strict;
use warnings;
use IO::Handle;
use List::Util qw(first max sum0);

# The connection: frames use copies of stdin and stdout, and prints go to stderr.
open my $in,  '<&', \*STDIN  or die "stdin: $!\n";
open my $out, '>&', \*STDOUT or die "stdout: $!\n";
open STDOUT,  '>&', \*STDERR or die "stderr: $!\n";
binmode $_ for $in, $out;
binmode STDERR, ':utf8';
$out->autoflush(1);

sub receive {    # the next message, or undef when the referee has closed the connection
    (read($in, my $header, 4) // die "stdin: $!\n") == 4 or return;    # waits for all bytes
    my $size = unpack 'N', $header;
    die "a frame of $size bytes; at most 1048576 are allowed\n" if $size > 1048576;
    (read($in, my $body, $size) // die "stdin: $!\n") == $size or return;
    return value(\$body);
}

sub reply {    # sends one frame; the keys of its map are plain, the values packed
    my ($count, $pairs) = (@_ / 2, '');
    while (my ($key, $packed) = splice @_, 0, 2) { $pairs .= text($key) . $packed }
    print {$out} pack 'N/a*', pack('CN', 0xdf, $count) . $pairs or die "stdout: $!\n";
}

# Packing: each type in one wide form of msgpack, which every reader must accept.
sub text    { my $text = shift; utf8::encode($text); return pack 'CN/a*', 0xdb, $text }
sub integer { return pack 'Cq>', 0xd3, shift }
sub boolean { return pack 'C', shift() ? 0xc3 : 0xc2 }
sub list    { return pack('CN', 0xdd, scalar @_) . join '', @_ }

# Unpacking: Perl's templates for numbers and for lengths, by the first byte.
my %number = (0xca => 'f>', 0xcb => 'd>', 0xcc => 'C', 0xcd => 'n', 0xce => 'N',
    0xcf => 'Q>', 0xd0 => 'c', 0xd1 => 's>', 0xd2 => 'l>', 0xd3 => 'q>');
my %sized = (0xd9 => [text => 'C'], 0xda => [text => 'n'], 0xdb => [text => 'N'],
    0xdc => [array => 'n'], 0xdd => [array => 'N'], 0xde => [map => 'n'], 0xdf => [map => 'N']);

sub take {    # the next value, as the template reads it
    my ($rest, $template) = @_;
    my $size = length pack $template, 0;
    die "a body that ends too early\n" if $size > length $$rest;
    return unpack $template, substr $$rest, 0, $size, '';
}

sub value {
    my $rest = shift;
    my $byte = take($rest, 'C');
    return $byte         if $byte < 0x80;
    return $byte - 0x100 if $byte >= 0xe0;
    return undef         if $byte == 0xc0;
    return $byte & 1     if $byte == 0xc2 || $byte == 0xc3;
    return take($rest, $number{$byte}) if $number{$byte};
    my ($type, $size) =
          $byte < 0x90  ? (map   => $byte & 0x0f)
        : $byte < 0xa0  ? (array => $byte & 0x0f)
        : $byte < 0xc0  ? (text  => $byte & 0x1f)
        : $sized{$byte} ? ($sized{$byte}[0], take($rest, $sized{$byte}[1]))
        :                 die sprintf "a byte that the protocol does not use: %02x\n", $byte;
    return [map { value($rest) } 1 .. $size] if $type eq 'array';
    return +{map { (value($rest), value($rest)) } 1 .. $size} if $type eq 'map';
    utf8::decode(my $text = take($rest, "a$size"));
    return $text;
}

# Gargon: play the cards with the highest expected points. A card is colour * 16 + value.
sub worth {    # points that a won card brings: its amulets, and a share of its colour's majority
    my ($card, $rules) = @_;
    my $value = $card % 16;
    return $value ? 4 + ($rules->{amulets}[$value - 1] // 0) : 8;    # a 0 doubles the amulets
}

sub chance {    # the probability that a card wins: 1 if it is alone, else higher for higher cards
    my ($card, $view) = @_;
    my ($me, $seats) = ($view->{seat}, scalar @{$view->{hands}});
    my ($colour, $rivals) = (int $card / 16, 0);
    for my $seat (grep { $_ != $me } 0 .. $seats - 1) {
        my ($its, $mine) = map { ($_ - $view->{starter}) % $seats } $seat, $me;    # turns
        $rivals += $view->{played}[$seat][$colour];
        $rivals += 0.5 if $its > $mine && $view->{hands}[$seat][$colour];    # may still play it
    }
    return ($card % 16 / 16)**$rivals;
}

sub rate {
    my ($view, $rules, $verb, @numbers) = @_;
    my ($table, $won) = map { $view->{$_}[$view->{seat}] } 'table', 'won';
    return 1.5 + 0.1 * sum0(@numbers) if $verb eq 'pass';
    return max(grep { int $_ / 16 == $numbers[0] } @$table) if $verb eq 'battle';
    return scalar grep { int $_ / 16 == $view->{stacks}[$numbers[0]][0] } @$won if $verb eq 'draw';
    return sum0(map { worth($_, $rules) * chance($_, $view) } @numbers);
}

sub gargon {    # the best rated action
    my ($question, $rules) = @_;
    my @rates = map { rate($question->{view}, $rules, @$_) } @{$question->{actions}};
    my $best = max(@rates);
    return (first { $rates[$_] == $best } 0 .. $#rates), sprintf 'worth %.1f', $best;
}

# Gang de Castors: put low cards in the place of high or unknown ones.
sub expected {    # the points of a place; a special card is replaced when the deal ends
    my ($view, $seat, $position) = @_;
    my $card = $view->{rows}[$seat][$position];
    return $card if $card >= 0 && $card <= 9;
    my $pool = $view->{pools}[$card < 0 ? $view->{row_pools}[$seat][$position] : -1];
    my $mean = sum0(map { $_ * $pool->[$_] } 0 .. 9) / max(1, sum0(@$pool[0 .. 9]));
    return $card < 0 && $view->{kept}[$seat][$position] ? $mean / 2 : $mean;    # kept because low
}

sub castors {    # the first of the wishes that is legal
    my ($question, $rules) = @_;
    my ($view, @actions) = ($question->{view}, map { "@$_" } @{$question->{actions}});
    my ($me, $drawn) = ($view->{seat}, $view->{drawn} // -1);
    my @row = map { expected($view, $me, $_) } 0 .. 3;
    my ($high, $worst) = (max(@row), first { $row[$_] == max(@row) } 0 .. 3);
    my @low = sort { expected($view, @$a) <=> expected($view, @$b) || "@$a" cmp "@$b" }
        map { my $seat = $_; map { [$seat, $_] } 0 .. 3 } grep { $_ != $me } 0 .. $#{$view->{rows}};
    my @wishes =
          $question->{kind} eq 'call' ? (sum0(@row) <= 10 ? 'call' : 'wait')
        : $question->{kind} eq 'turn' ? ($high - $view->{discards}[-1] > 2 ? "take $worst" : 'draw')
        : $drawn <= 9  ? ($high - $drawn > 1 ? "keep $worst" : 'reject')
        : $drawn == 10 ? ($high - expected($view, @{$low[0]}) > 1 ? "swap $worst @{$low[0]}" : ())
        : $drawn == 11 ? (map { "peek $_" } grep { $view->{rows}[$me][$_] < 0 } 0 .. 3)
        :                'draw';
    my %index = map { $actions[$_] => $_ } 0 .. $#actions;
    my $wish = first { exists $index{$_} } @wishes, 'discard';
    return $index{$wish}, sprintf 'row worth %.1f', sum0(@row);
}

# The conversation: unknown messages are ignored.
my ($start, %play) = (undef, gargon => \&gargon, castors => \&castors);
while (my $message = receive()) {
    my $t = $message->{t} // '';
    last if $t eq 'bye';
    $start = $message if $t eq 'start';
    warn "fault: $message->{verdict}: $message->{text}\n" if $t eq 'fault';
    if ($t eq 'hello') {
        my $major = $message->{protocol}[0];
        die "this bot speaks protocol 1, not $major\n" if $major != 1;
        reply(t => text('hello'), protocol => list(integer(1), integer(0)), name => text('my-bot'),
            version => text('1'), actions => boolean(1), events => boolean(0));
    } elsif ($t eq 'act') {
        my ($index, $note) = $play{$start->{game}}->($message, $start->{rules});
        reply(t => text('action'), id => integer($message->{id}), i => integer($index),
            note => text($note));
    }
}
