import pg from 'pg'

/** Methods of the library's connection that its types omit. */
type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/**
 * COPY ... FROM STDIN inside a pipeline: its rows follow the statement at once, without waiting for the server's request.
 * If the server rejects the statement (a failed transaction, for example), it skips the rows, as the protocol defines.
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

  /** Does nothing: the rows are already sent. */
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
