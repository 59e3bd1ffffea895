import pg from 'pg'
import type { EngineConnection } from './engine-connection.ts'
import { TYPES } from './type-parsers.ts'

/** Between two values, and for one that is null: no text of ours has control characters, and JSON may have none. */
const [BETWEEN, NULL] = ['\u001f', '\u001e']

type Field = { readonly name: string; readonly parse: (text: string) => unknown }

/** Texts of JSON remembered at most while rows are read: what is the same in many rows is parsed once. */
const REMEMBERED_MAX = 1_000

/**
 * Many rows of many columns, each sent as one text and taken apart here as it arrives, while the server makes the next ones: the
 * library's way of a value at a time costs several times as much as the server's work, and a restart waits for it. Values of `json`
 * columns may be shared by rows: they are read only.
 * @param table with its schema
 * @param rest  what follows FROM the table: conditions and order
 */
export async function readPacked<R extends object>(
  { client }: Pick<EngineConnection, 'client'>,
  table: string,
  rest: string,
): Promise<R[]> {
  const { fields } = await client.query(`SELECT * FROM ${table} LIMIT 0`)
  const shape = fields.map(({ name, dataTypeID }): Field => ({ name, parse: parserOf(dataTypeID) }))
  const values = shape.map(({ name }) => `coalesce(${name}::text, chr(${NULL.charCodeAt(0)}))`)
  const packed = `concat_ws(chr(${BETWEEN.charCodeAt(0)}), ${values.join(', ')})`
  const unpacked = unpacker(shape)
  const types = { getTypeParser: () => unpacked } as unknown as pg.CustomTypesConfig
  const { rows } = await client.query<[R]>({ text: `SELECT ${packed} FROM ${table} ${rest}`, rowMode: 'array', types })
  return rows.map(([row]) => row)
}

function parserOf(type: number): Field['parse'] {
  const parse = TYPES.getTypeParser(type) as Field['parse']
  if (type !== pg.types.builtins.JSON) return parse
  const remembered = new Map<string, unknown>()
  return (text) => {
    if (remembered.has(text)) return remembered.get(text)
    const value = parse(text)
    if (remembered.size < REMEMBERED_MAX) remembered.set(text, value)
    return value
  }
}

/** Each row begins as a copy of one that has all columns: to add them one by one is what would cost most. */
function unpacker(shape: readonly Field[]): (text: string) => Record<string, unknown> {
  const empty = Object.fromEntries(shape.map(({ name }) => [name, null as unknown]))
  return (text) => {
    const values = text.split(BETWEEN)
    const row = { ...empty }
    for (let n = 0; n < shape.length; n += 1) {
      const value = values[n]!
      if (value !== NULL) row[shape[n]!.name] = shape[n]!.parse(value)
    }
    return row
  }
}
