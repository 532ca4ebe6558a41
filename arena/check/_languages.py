"""What to write in the author's language, where a mistake has a usual remedy in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from arena.programs.spec import BotSpec


@dataclass(frozen=True)
class Words:
    """What a language calls what a bot without an SDK has to do."""

    flush: str
    """Sends what was written on its way."""
    log: str
    """Prints to stderr."""
    read: str
    """Reads so many bytes."""
    length: str
    """Writes the length of a body."""
    read_length: str
    """Takes the length from the header."""
    binary: str
    """Writes bytes as they are."""
    pack: str
    """Makes a body."""
    sdk: str = ""
    """Runs a bot with the SDK; "" if there is none."""
    files: tuple[str, ...] = ()
    """The suffixes of programs in this language, and the names of their interpreters."""

    @property
    def with_sdk(self) -> str:
        """A sentence about the SDK, if there is one, to stand at the end."""
        return f". The SDK does all of this for you: {self.sdk}" if self.sdk else ""


ANY = Words(
    flush="flush stdout after every frame",
    log="print to stderr",
    read="read on until all of its bytes are there; one read may return fewer",
    length="write the length as an unsigned integer of four bytes, big-endian",
    read_length="read the four bytes as an unsigned integer, big-endian",
    binary="open stdin and stdout in binary mode",
    pack="use a msgpack library, or see the starter of `arena bot new --language none`",
)
LANGUAGES = {
    "python": Words(
        flush="sys.stdout.buffer.flush() after every frame, or flush() of the file that you have "
        "opened for frames yourself",
        log="print(..., file=sys.stderr)",
        read="sys.stdin.buffer.read(length) returns when all is there; os.read and read1 may "
        "return less, or more than one frame",
        length='len(body).to_bytes(4, "big")',
        read_length='int.from_bytes(header, "big")',
        binary="sys.stdout.buffer.write(data)",
        pack="msgpack.packb(message)",
        sdk="arena_sdk.run(choose)",
        files=("py", "python", "python3"),
    ),
    "javascript": Words(
        flush="process.stdout.write(frame), and no process.exit() before it is written",
        log="console.error(...)",
        read='keep what process.stdin.on("data", ...) brings in a Buffer until 4 + length bytes '
        "are there, and keep what follows them",
        length="header.writeUInt32BE(body.length)",
        read_length="buffer.readUInt32BE(0)",
        binary="process.stdout.write(buffer) with a Buffer, not a string",
        pack='encode(message) of "@msgpack/msgpack"',
        sdk="run(bot)",
        files=("js", "mjs", "cjs", "node"),
    ),
    "cpp": Words(
        flush="std::cout.flush() after every frame",
        log="std::cerr << ...",
        read="std::cin.read(data, length) returns when all is there; ::read may return less",
        length="htonl(body.size()), written as four bytes",
        read_length="ntohl(header)",
        binary="std::cout.write(data, size)",
        pack="msgpack::pack(buffer, message)",
        sdk="arena::run(choose)",
        files=("cpp", "cc"),
    ),
    "c": Words(
        flush="fflush(stdout) after every frame",
        log="fprintf(stderr, ...)",
        read="fread(data, 1, length, stdin) returns when all is there; read may return less",
        length="htonl(length), written as four bytes",
        read_length="ntohl(header)",
        binary="fwrite(data, 1, size, stdout)",
        pack="msgpack-c, or the bytes by hand",
        files=("c",),
    ),
    "java": Words(
        flush="out.flush() after every frame",
        log="System.err.println(...)",
        read="DataInputStream.readFully(bytes) returns when all is there; read may return less",
        length="DataOutputStream.writeInt(body.length)",
        read_length="DataInputStream.readInt()",
        binary="write(byte[]) of System.out or of a stream on top of it, not print",
        pack="a MessageBufferPacker of msgpack-java",
        sdk="arena.sdk.Bot.run(bot)",
        files=("java", "jar"),
    ),
    "go": Words(
        flush="w.Flush() after every frame",
        log="fmt.Fprintln(os.Stderr, ...)",
        read="io.ReadFull(reader, body) returns when all is there; Read may return less",
        length="binary.BigEndian.PutUint32(header, uint32(len(body)))",
        read_length="binary.BigEndian.Uint32(header)",
        binary="os.Stdout.Write(data)",
        pack="msgpack.Marshal(message)",
        sdk="sdk.Run(hello, bot)",
        files=("go",),
    ),
    "rust": Words(
        flush="stdout.flush()? after every frame",
        log="eprintln!(...)",
        read="stdin.read_exact(&mut body)? returns when all is there; read may return less",
        length="(body.len() as u32).to_be_bytes()",
        read_length="u32::from_be_bytes(header)",
        binary="stdout.write_all(&data)?",
        pack="rmp_serde::to_vec_named(&message)?",
        sdk="arena_sdk::run(bot)",
        files=("rs",),
    ),
    "perl": Words(
        flush="$| = 1, or STDOUT->flush after every frame",
        log="print STDERR ...",
        read="read(STDIN, my $body, $length) returns when all is there; sysread may return less",
        length="pack('N', length $body)",
        read_length="unpack('N', $header)",
        binary="binmode STDIN and binmode STDOUT at the start",
        pack="Data::MessagePack, or see the starter of `arena bot new --language none`",
        files=("pl", "perl"),
    ),
}
_OTHER_NAMES = {"typescript": "javascript", "node": "javascript", "c++": "cpp", "py": "python"}
_VERSION = re.compile(r"[\d.]+$")


def language_of(spec: BotSpec) -> str:
    """Return the language of a bot as its command line shows, else as its description says."""
    for word in spec.run:
        path = PurePath(word)
        kinds = {path.suffix[1:], path.name, _VERSION.sub("", path.name)}
        for language, words in LANGUAGES.items():
            if kinds.intersection(words.files):
                return language
    named = spec.language.lower()
    return _OTHER_NAMES.get(named, named)


def words_for(spec: BotSpec) -> Words:
    """Return what to write in the language of a bot."""
    return LANGUAGES.get(language_of(spec), ANY)
