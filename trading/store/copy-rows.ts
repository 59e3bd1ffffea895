import pg from 'pg'

/** What the library's connection has and its types do not tell. */
type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/**
 * COPY ... FROM STDIN as one more statement of a pipeline: its rows are sent right behind it, without waiting to be asked for them.
 * Where the server refuses the statement (the transaction has failed, say), it passes over them, as the protocol has it.
 */
class CopyRows extends pg.Query {
  readonly #text: string
  readonly #rows: Buffer

  constructor(text: string, rows: Buffer) {
    super(text)
    this.#text = text
    this.#rows = rows
  }

  override submit = (connection: pg.Connection): null => {
    const { stream } = connection
    stream.cork()
    connection.query(this.#text)
    const sending = connection as CopyConnection
    sending.sendCopyFromChunk(this.#rows)
    sending.endCopyFrom()
    stream.uncork()
    return null
  }

  /** The rows are on their way already. */
  handleCopyInResponse(): void {}
}

/**
 * Sends rows to a table by COPY.
 * @param text the statement: COPY table (columns) FROM STDIN (FORMAT binary)
 * @param rows as `binaryRows` makes them
 */
export function copyRows(client: Pick<pg.Client, 'query'>, text: string, rows: Buffer): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const copy = new CopyRows(text, rows)
    const done = (error: Error | null | undefined) => (error ? reject(error) : resolve(copy))
    client.query(Object.assign(copy, { callback: done }))
  })
}
