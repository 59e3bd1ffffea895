/**
 * Reads the bytes of a body.
 * @returns null if there are more than `bytes_max`; the rest is not read
 */
export async function readBody(body: AsyncIterable<Buffer>, bytes_max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    // Leaving the loop destroys the body, and with it the connection.
    if (bytes > bytes_max) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
