import pg from 'pg'
import type { EngineConnection } from './engine-connection.ts'
import { TYPES } from './type-parsers.ts'

/** A value that is null, in the text form of COPY. */
const NULL = '\\N'
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
/** Texts of JSON remembered at most while rows are read: what is the same in many rows is parsed once. */
const REMEMBERED_MAX = 1_000

type Field = { readonly name: string; readonly parse: (text: string) => unknown }
type RowOf<R> = new (line: string) => R

/**
 * Reads many rows of many columns by COPY, a line of text each, while the server makes the next ones: the library's way of a value at a
 * time costs several times as much, and a restart waits for it. A row keeps its line, and a column is parsed when it is asked for:
 * most of them are not before their row changes. Values of `json` columns may be shared by rows: they are read only.
 * @param table with its schema
 * @param first columns that are asked for of every row: they stand first in its line, which is taken apart no further for them
 * @param rest  what follows FROM the table: conditions and order
 * @param take  gets each row as it arrives, in order
 * @throws whatever `take` throws first, once all rows have passed
 */
export async function readCopied<R extends object>(
  { client }: Pick<EngineConnection, 'client'>,
  table: string,
  first: readonly (keyof R & string)[],
  rest: string,
  take: (row: R) => void,
): Promise<void> {
  const { fields } = await client.query(`SELECT * FROM ${table} LIMIT 0`)
  const others = fields.filter(({ name }) => !first.includes(name as never)).map(({ name }) => name)
  const names = [...first, ...others]
  const types = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]))
  const shape = names.map((name) => ({ name, parse: parserOf(types.get(name)!) }))
  const Row = rowClass<R>(shape, first.length)
  const text = `COPY (SELECT ${names.join(', ')} FROM ${table} ${rest}) TO STDOUT`
  await new Promise<void>((resolve, reject) => {
    const copy = new CopyOut(text, (line) => take(new Row(line)))
    const done = (error: Error | null | undefined) => (error ? reject(error) : resolve())
    client.query(Object.assign(copy, { callback: (error: Error | null) => done(error ?? copy.failed) }))
  })
}

/** COPY ... TO STDOUT as one more statement of a pipeline. */
class CopyOut extends pg.Query {
  failed: Error | null = null
  readonly #take: (line: string) => void

  constructor(text: string, take: (line: string) => void) {
    super(text)
    this.#take = take
  }

  /** One row with its line end. What fails is told at the end: the connection has to be read that far. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.failed !== null) return
    try {
      this.#take(chunk.toString('utf8', 0, chunk.length - 1))
    } catch (error) {
      this.failed = error as Error
    }
  }
}

/** Rows with a getter for each column. The values of the line that was asked last are kept apart: one row is mostly read at a time. */
function rowClass<R>(shape: readonly Field[], first: number): RowOf<R> {
  let last = { line: '', values: [] as readonly string[] }
  const valueAt = (line: string, n: number): string => {
    if (last.line !== line || last.values.length <= n) {
      last = { line, values: line.split('\t', n < first ? first : shape.length) }
    }
    return last.values[n]!
  }
  class CopiedRow {
    readonly line: string

    constructor(line: string) {
      this.line = line
    }
  }
  for (const [n, { name, parse }] of shape.entries()) {
    const get = function (this: CopiedRow): unknown {
      const value = valueAt(this.line, n)
      return value === NULL ? null : parse(value)
    }
    Object.defineProperty(CopiedRow.prototype, name, { get, enumerable: true })
  }
  return CopiedRow as unknown as RowOf<R>
}

function parserOf(type: number): Field['parse'] {
  const parse = TYPES.getTypeParser(type) as Field['parse']
  if (type !== pg.types.builtins.JSON) return (text) => parse(plain(text))
  const remembered = new Map<string, unknown>()
  return (text) => {
    const known = remembered.get(text)
    if (known !== undefined) return known
    const value = parse(plain(text))
    if (remembered.size < REMEMBERED_MAX) remembered.set(text, value)
    return value
  }
}

/** Text as it was before COPY escaped it. */
function plain(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/gs, (_, letter: string) => ESCAPED[letter] ?? letter) : text
}
