"""Parses HTTP/1.1 responses (RFC 9112) and server-sent events, wherever their bytes are split."""

from __future__ import annotations

import re
from typing import Dict, List, Optional

from ._bounds import MAX_CHUNK_LINE, MAX_HEAD_BYTES, MAX_LIST_BYTES

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})(?: |$)")
# An SMTP reply (RFC 5321 section 4.2).
_SMTP = re.compile(rb"\d{3}[ -]")
_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
_LONGEST_END = 4
_LINE_END = re.compile(rb"\r\n|\r|\n")
_SIZE = re.compile(rb"[0-9A-Fa-f]{1,8}")


IS_SMTP = "that is an SMTP port"


class NotHttp(ValueError):
    """The response is not HTTP, or is incomplete."""


class Response:
    """One response with a body of at most `most` bytes. `status` is 0 until the header section is complete."""

    def __init__(self, most: int = MAX_LIST_BYTES) -> None:
        self.status = 0
        self._most = most
        self.headers: Dict[str, str] = {}
        self.is_whole = False
        self._buffer = b""
        self._total = 0
        # Bytes left of the body or chunk; `None` if the end of the connection ends the body.
        self._left: Optional[int] = None
        self._is_chunked = False
        self._interim_bytes = 0
        self._trailer_bytes = 0
        self._is_in_trailer = False
        # Whether the next line is a chunk size, and not the line end after a chunk.
        self._expects_size = True

    def feed(self, data: bytes) -> bytes:
        """The bytes of the body in `data`. Empty data means the end of the connection."""
        if not data:
            return self._end()
        self._buffer += data
        if self.status == 0 and not self._read_head():
            return b""
        body = self._chunks() if self._is_chunked else self._plain()
        self._total += len(body)
        # An endless response must not fill the memory of the test.
        if self._total > self._most:
            raise NotHttp(f"the answer is longer than {self._most} bytes")
        return body

    def _end(self) -> bytes:
        if self.status == 0 or self._is_chunked or self._left:
            raise NotHttp("the connection ended early")
        self.is_whole = True
        return b""

    def _read_head(self) -> bool:
        while True:
            if _SMTP.match(self._buffer):
                raise NotHttp(IS_SMTP)
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if len(head) > MAX_HEAD_BYTES:
                raise NotHttp(f"the head of the answer is longer than {MAX_HEAD_BYTES} bytes")
            if not end:
                if len(self._buffer) >= 5 and not self._buffer.startswith(b"HTTP/"):
                    raise NotHttp("the answer is not HTTP")
                return False
            first, *lines = head.split(b"\r\n")
            status = _STATUS.match(first)
            if not status:
                raise NotHttp("the answer is not HTTP")
            self._buffer = rest
            # An interim response (RFC 9110 section 15.2) precedes the final one.
            if status[1].startswith(b"1"):
                self._interim_bytes += len(head)
                if self._interim_bytes > MAX_HEAD_BYTES:
                    raise NotHttp(f"the interim answers are longer than {MAX_HEAD_BYTES} bytes")
                continue
            for line in lines:
                name, _, value = line.partition(b":")
                self.headers[name.strip().lower().decode("latin-1")] = value.strip().decode("latin-1")
            self._begin_body(int(status[1]))
            return True

    def _begin_body(self, status: int) -> None:
        self.status = status
        length = self.headers.get("content-length")
        if status in (204, 304):
            self._left = 0
        elif "chunked" in self.headers.get("transfer-encoding", "").lower():
            self._is_chunked = True
            self._left = 0
        elif length is not None:
            if not (length.isascii() and length.isdigit()) or len(length) > 15:
                raise NotHttp("the answer has no valid length")
            self._left = int(length)
        self.is_whole = self._left == 0 and not self._is_chunked

    def _plain(self) -> bytes:
        body, self._buffer = self._buffer, b""
        if self._left is not None:
            body = body[: self._left]
            self._left -= len(body)
            self.is_whole = self._left == 0
        return body

    def _chunks(self) -> bytes:
        pieces: List[bytes] = []
        # Copying the rest for each chunk would take quadratic time if chunks have one byte.
        data, at = self._buffer, 0
        while at < len(data) and not self.is_whole:
            if self._left:
                piece = data[at : at + self._left]
                pieces.append(piece)
                at += len(piece)
                self._left -= len(piece)
                continue
            most = MAX_HEAD_BYTES if self._is_in_trailer else MAX_CHUNK_LINE
            end = data.find(b"\r\n", at, at + most + 2)
            if end < 0:
                if len(data) - at > most + 1:
                    raise NotHttp("the answer has a line that is too long")
                break
            line, at = data[at:end], end + 2
            self._take_line(line)
        self._buffer = data[at:]
        return b"".join(pieces)

    def _take_line(self, line: bytes) -> None:
        if self._is_in_trailer:
            self._trailer_bytes += len(line)
            if self._trailer_bytes > MAX_HEAD_BYTES:
                raise NotHttp("the answer has a trailer that is too long")
            if not line:
                self.is_whole, self._is_chunked = True, False
            return
        # The line end after a chunk.
        if not self._expects_size and not line:
            self._expects_size = True
            return
        size = _SIZE.fullmatch(line.split(b";", 1)[0].strip()) if self._expects_size else None
        if not size:
            raise NotHttp("the answer has no valid chunks")
        self._left = int(size[0], 16)
        self._expects_size = False
        self._is_in_trailer = self._left == 0


class EventParser:
    """Returns the data of the first event; skips comments and fields other than `data` (WHATWG HTML 9.2.6)."""

    def __init__(self) -> None:
        self._begun: List[bytes] = []
        # The end of the last piece, because an event's end may be split.
        self._last = b""

    def push(self, data: bytes) -> Optional[str]:
        self._begun.append(data)
        self._last += data
        # Joins the pieces only when the event is complete, because joining them for each piece takes quadratic time.
        if not _EVENT_END.search(self._last):
            self._last = self._last[-_LONGEST_END + 1 :]
            return None
        text, at = b"".join(self._begun), 0
        while True:
            end = _EVENT_END.search(text, at)
            if end is None:
                self._begun = [text[at:]]
                self._last = self._begun[0][-_LONGEST_END + 1 :]
                return None
            event, at = text[at : end.start()], end.end()
            lines = [line[5:] for line in _LINE_END.split(event) if line == b"data" or line.startswith(b"data:")]
            if lines:
                found = b"\n".join(line[1:] if line.startswith(b" ") else line for line in lines)
                return found.decode("utf-8", "replace")
