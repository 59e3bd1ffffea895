const FINAL_TEXT = 0x81
const LENGTH_16 = 126
const LENGTH_64 = 127

/**
 * Builds a complete WebSocket text message in one buffer: the header of RFC 6455, section 5.2 (final, text, unmasked), and the
 * payload. The buffer can be written to any number of sockets that use no extensions.
 */
export function textFrame(...parts: readonly (string | Buffer)[]): Buffer {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const offset = length < LENGTH_16 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(offset + length)
  frame[0] = FINAL_TEXT
  if (offset === 2) frame[1] = length
  if (offset === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  }
  if (offset === 10) {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  let end = offset
  for (const part of parts) end += typeof part === 'string' ? frame.write(part, end) : part.copy(frame, end)
  return frame
}
