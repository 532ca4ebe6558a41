//! The connection to the referee: frames over a pair of pipes.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};

use serde::Serialize;

use crate::{stdio, Error, Message, Result};

const HEADER: usize = 4;
const LARGEST: usize = 1 << 20;
const CHUNK: usize = 1 << 16;

/// Sends and receives messages. It reads into one buffer, and writes each message at once, in one
/// piece.
pub struct Line<R = File, W = File> {
    source: R,
    sink: W,
    buffer: Vec<u8>,
    /// The ends of the last returned frame and of the bytes read.
    done: usize,
    filled: usize,
    outgoing: Vec<u8>,
}

impl Line {
    /// Reserve stdin and stdout for the protocol; later prints go to stderr.
    pub fn take_stdio() -> Result<Self, Error> {
        let (source, sink) = stdio::take()?;
        Ok(Line::new(source, sink))
    }
}

impl<R: Read, W: Write> Line<R, W> {
    /// A line over any reader and writer, for tests.
    pub fn new(source: R, sink: W) -> Self {
        let (buffer, outgoing) = (vec![0; CHUNK], Vec::new());
        Line {
            source,
            sink,
            buffer,
            done: 0,
            filled: 0,
            outgoing,
        }
    }

    /// Returns the writer at the end of the conversation.
    pub fn into_sink(self) -> W {
        self.sink
    }

    /// Send one message, which must serialize as a map.
    pub fn send(&mut self, message: &impl Serialize) -> Result<(), Error> {
        self.outgoing.clear();
        self.outgoing.extend([0; HEADER]);
        let mut packer = rmp_serde::Serializer::new(&mut self.outgoing).with_struct_map();
        message
            .serialize(&mut packer)
            .map_err(|error| Error::protocol(error.to_string()))?;
        let length = self.outgoing.len() - HEADER;
        if length > LARGEST {
            let text = format!("a message of {length} bytes; at most {LARGEST} can be sent");
            return Err(Error::Protocol(text));
        }
        self.outgoing[..HEADER].copy_from_slice(&(length as u32).to_be_bytes());
        self.sink.write_all(&self.outgoing)?;
        self.sink.flush()?;
        Ok(())
    }

    /// Returns the next message, or none if the referee has closed the connection.
    pub fn receive(&mut self) -> Result<Option<Message<'_>>, Error> {
        if !self.hold(HEADER)? {
            return Ok(None);
        }
        let begin = self.done + HEADER;
        let header = &self.buffer[self.done..begin];
        let length = header
            .iter()
            .fold(0, |length, byte| length << 8 | usize::from(*byte));
        if length > LARGEST {
            let text = format!("a frame of {length} bytes; at most {LARGEST} are allowed");
            return Err(Error::Protocol(text));
        }
        if !self.hold(HEADER + length)? {
            return Ok(None);
        }
        // Growing the buffer may have moved the frame.
        let begin = self.done + HEADER;
        self.done = begin + length;
        Message::read(&self.buffer[begin..self.done]).map(Some)
    }

    /// Read until there are this many bytes after the last frame; false if the connection ends.
    fn hold(&mut self, count: usize) -> Result<bool, Error> {
        while self.filled - self.done < count {
            self.buffer.copy_within(self.done..self.filled, 0);
            self.filled -= self.done;
            self.done = 0;
            if self.buffer.len() < count {
                self.buffer.resize(count, 0);
            }
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(0) => return Ok(false),
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }
}
