import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LINE_BYTES_MAX, type Line, readLines } from '../../connectors/archives/lines.ts'

async function linesOf(bytes: Buffer, chunk_bytes: number): Promise<Line[]> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk_bytes) yield bytes.subarray(at, at + chunk_bytes)
  }
  const lines: Line[] = []
  for await (const batch of readLines(chunks())) lines.push(...batch)
  return lines
}

const lineText = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\r\n\ufeff]/.test(text))

test('any way of cutting the bytes into chunks gives the same numbered lines', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(lineText, { maxLength: 8 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      async (texts, size, end) => {
        const bytes = Buffer.from(texts.join('\n') + (end ? '\n' : ''))
        const expected = texts.flatMap((text, n) => (text === '' ? [] : [{ line: n + 1, text }]))
        expect(await linesOf(bytes, size)).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('CRLF ends a line, a byte order mark is dropped, empty lines are counted but left out', async () => {
  const bytes = Buffer.from('\ufeffa\r\n\r\nb\n\nc')
  expect(await linesOf(bytes, 3)).toEqual([
    { line: 1, text: 'a' },
    { line: 3, text: 'b' },
    { line: 5, text: 'c' },
  ])
})

test('a line that is not UTF-8 is named, its neighbors are read', async () => {
  const bytes = Buffer.concat([Buffer.from('first\n'), Buffer.from([0x66, 0xff, 0xfe, 0x0a]), Buffer.from('third\n')])
  for (const size of [1, 4, 1000]) {
    expect(await linesOf(bytes, size)).toEqual([
      { line: 1, text: 'first' },
      { line: 2, reason: 'BAD_ENCODING' },
      { line: 3, text: 'third' },
    ])
  }
})

test('a line beyond the limit is skipped to its end, one of exactly the limit is read', async () => {
  const longest = 'x'.repeat(LINE_BYTES_MAX)
  const bytes = Buffer.from(`a\n${longest}y\nb\n${longest}\nc\n${longest}${longest}`)
  for (const size of [64 * 1024, 300_001, 8 * 1024 * 1024]) {
    const seen = (await linesOf(bytes, size)).map((l) => ('text' in l ? [l.line, l.text.length] : [l.line, l.reason]))
    expect(seen).toEqual([
      [1, 1],
      [2, 'LINE_TOO_LONG'],
      [3, 1],
      [4, LINE_BYTES_MAX],
      [5, 1],
      [6, 'LINE_TOO_LONG'],
    ])
  }
})
