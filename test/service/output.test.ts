import { PassThrough, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { csvLine } from '../../cli/csv.ts'
import { createOutput, createProgress, renderTable } from '../../service/output.ts'

describe('tables', () => {
  test('a head, then a line a row; numbers to the right; missing is a dash, not 0', () => {
    expect(
      renderTable(
        ['name', 'level'],
        [
          ['a', '1000.0000'],
          ['long name', '9.5'],
          ['c', null],
        ],
      ),
    ).toBe(['name           level', 'a          1000.0000', 'long name        9.5', 'c                  -'].join('\n'))
  })

  test('on a terminal, cells that are too long go on in the next line, and nothing is lost', () => {
    const rows = [['iob_0123456789abcdef0123456789abcdef', 'a text that is longer than its column']]
    const table = renderTable(['observation', 'text'], rows, 40)
    const lines = table.split('\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40)
    const column = (from: number, to?: number) =>
      lines
        .slice(1)
        .map((line) => line.slice(from, to).trim())
        .join('')
    const at = lines[0]!.indexOf('text')
    expect(column(0, at)).toBe(rows[0]![0])
    expect(column(at).replaceAll(' ', '')).toBe(rows[0]![1]!.replaceAll(' ', ''))
    expect(renderTable(['observation', 'text'], rows, 400)).toBe(renderTable(['observation', 'text'], rows))
  })

  test('a table that is the whole answer says that it has no rows; one beside others is left out', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const output = createOutput({ stdout, stderr }, false)
    await output.table(['name'], [])
    expect([stdout.read(), stderr.read()]).toEqual([null, null])
    await output.list(['name'], [])
    expect([stdout.read(), String(stderr.read())]).toEqual([null, 'no rows\n'])
    await output.list(['name'], [['a']])
    expect([String(stdout.read()), stderr.read()]).toEqual(['name\na\n', null])
  })

  test('control characters of recorded text do not reach the terminal', () => {
    const table = renderTable(['title'], [['\u001b[31mred\u0007\nnext\u009b']])
    expect(table).toBe('title\n?[31mred??next?')
  })

  test('nor does it in a line of text; in JSON it is an escape, so that the value is exact', async () => {
    const stdout = new PassThrough()
    const output = createOutput({ stdout, stderr: new PassThrough() }, false)
    const title = 'pay \u202eyek\u001b[2J\u009b\u2028 é 日本 👩‍🚀'
    await output.line(title)
    await output.record({ title })
    await output.document({ title })
    const text = String(stdout.read())
    expect(text).toMatch(/^pay \?yek\?\[2J\?\? é 日本 👩‍🚀\n/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/)
    const [, record, ...document] = text.split('\n')
    expect(JSON.parse(record!)).toEqual({ title })
    expect(JSON.parse(document.join('\n'))).toEqual({ title })
  })
})

describe('CSV (RFC 4180)', () => {
  const LINES = [
    [['a', 'b'], 'a,b\n'],
    [[null, undefined, ''], ',,\n'],
    [['a,b', 'say "hi"', 'x\ny'], '"a,b","say ""hi""","x\ny"\n'],
    [[['con_a', 'con_b'], [], { rule: 'HAMPEL_5' }], '"[""con_a"",""con_b""]",[],"{""rule"":""HAMPEL_5""}"\n'],
    [[0, false, '0.10'], '0,false,0.10\n'],
  ] as const
  test.each(LINES)('%j', (values, line) => {
    expect(csvLine(values)).toBe(line)
  })
})

describe('output', () => {
  test('waits while the reader is slow', async () => {
    const taken: string[] = []
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk: Buffer, _encoding, done) => {
        taken.push(chunk.toString())
        setTimeout(done, 5)
      },
    })
    const output = createOutput({ stdout: slow, stderr: new PassThrough() }, false)
    for (const text of ['a', 'b', 'c']) await output.write(text)
    expect(taken).toEqual(['a', 'b', 'c'])
    expect(slow.writableLength).toBe(0)
  })

  test('progress is silent unless standard error is a terminal', async () => {
    const stderr = new PassThrough()
    const progress = await createProgress('import', stderr)
    progress.update({ done: 1, total: 2 })
    progress.finish()
    expect(stderr.readableLength).toBe(0)
  })

  test.each([
    ['a terminal', true, false, true],
    ['no terminal', false, false, false],
    ['no terminal, and it was asked for', false, true, true],
  ])('steps of a long run are lines of the log where standard error is %s', (_name, isTTY, is_asked, expected) => {
    const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })]
    const step = createOutput({ stdout, stderr }, false).steps(is_asked)
    for (const text of ['ratings', 'severity']) step(text)
    const lines = String(stderr.read() ?? '').trimEnd()
    expect(lines.split('\n').map((line) => /ratings|severity/.exec(line)?.[0])).toEqual(
      expected ? ['ratings', 'severity'] : [undefined],
    )
    expect(stdout.readableLength).toBe(0)
  })
})
