/** The connection to the referee: frames over two file descriptors. Prints go to stderr. */

import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";

import { Decoder, Encoder } from "@msgpack/msgpack";

const HEADER = 4;
const LARGEST = 1 << 20;
const CHUNK = 1 << 16;
const NAP = new Int32Array(new SharedArrayBuffer(4));

export class ProtocolError extends Error {
  name = "ProtocolError";
}

export class Line {
  #source;
  #sink;
  #decoder = new Decoder();
  #encoder = new Encoder();
  #buffer = Buffer.allocUnsafeSlow(CHUNK);
  #start = 0; // of the bytes that were read and not returned yet
  #end = 0;
  #out = Buffer.allocUnsafeSlow(CHUNK);

  constructor(source, sink) {
    this.#source = source;
    this.#sink = sink;
  }

  static takeStdio() {
    const source = moved(0, constants.O_RDONLY, ["/dev/null"]);
    const sink = moved(1, constants.O_WRONLY, ["/proc/self/fd/2", "/dev/null"]);
    process.stdout.write = process.stderr.write.bind(process.stderr);
    return new Line(source, sink);
  }

  send(message) {
    const body = this.#encoder.encodeSharedRef(message);
    if (body.length > LARGEST) {
      throw new ProtocolError(`a message of ${body.length} bytes; at most ${LARGEST} can be sent`);
    }
    const size = HEADER + body.length;
    if (size > this.#out.length) this.#out = Buffer.allocUnsafeSlow(size);
    this.#out.writeUInt32BE(body.length, 0);
    this.#out.set(body, HEADER);
    let sent = 0;
    while (sent < size) {
      sent += patiently(writeSync, this.#sink, this.#out, sent, size - sent);
    }
  }

  receive() {
    if (!this.#fill(HEADER)) return null;
    const length = this.#buffer.readUInt32BE(this.#start);
    if (length > LARGEST) {
      throw new ProtocolError(`a frame of ${length} bytes; at most ${LARGEST} are allowed`);
    }
    if (!this.#fill(HEADER + length)) return null;
    const from = this.#start + HEADER;
    this.#start = from + length;
    const message = this.#decoder.decode(this.#buffer.subarray(from, this.#start));
    if (message === null || typeof message !== "object" || Array.isArray(message)) {
      throw new ProtocolError("a frame that does not hold a map");
    }
    return message;
  }

  /** Read until this many bytes are there; false if the referee has closed the connection. */
  #fill(size) {
    while (this.#end - this.#start < size) {
      if (this.#start === this.#end) {
        this.#start = this.#end = 0;
      }
      if (this.#start + size > this.#buffer.length) this.#makeRoom(size);
      const free = this.#buffer.length - this.#end;
      const count = patiently(readSync, this.#source, this.#buffer, this.#end, free);
      if (count === 0) return false;
      this.#end += count;
    }
    return true;
  }

  #makeRoom(size) {
    const target =
      size > this.#buffer.length ? Buffer.allocUnsafeSlow(size + CHUNK) : this.#buffer;
    this.#buffer.copy(target, 0, this.#start, this.#end);
    this.#buffer = target;
    this.#end -= this.#start;
    this.#start = 0;
  }
}

/** Read or write once; try again after a signal, or if the pipe does not block. */
function patiently(transfer, fd, buffer, offset, length) {
  for (;;) {
    try {
      return transfer(fd, buffer, offset, length);
    } catch (error) {
      if (error.code === "EAGAIN") Atomics.wait(NAP, 0, 0, 1);
      else if (error.code !== "EINTR") throw error;
    }
  }
}

/**
 * Another descriptor for the pipe at this one, which gets the first of these files that can be
 * opened in its place. Node has no dup: the pipe is opened again, and a file that is opened gets
 * the lowest number that is free. The same descriptor where that cannot be done.
 */
function moved(fd, flags, instead) {
  let kept;
  try {
    kept = openSync(`/proc/self/fd/${fd}`, flags);
  } catch {
    return fd;
  }
  closeSync(fd);
  for (const path of instead) {
    try {
      openSync(path, flags);
      break;
    } catch {
      // a socket, or a system without it
    }
  }
  return kept;
}
