import pg from 'pg'

/**
 * COPY ... TO STDOUT, as the bytes that the server sends: one message a row. `take` runs before the next message is read, so a slow
 * one slows the server down.
 */
class CopyOut extends pg.Query {
  failed: Error | null = null
  readonly #take: (row: Buffer) => void

  constructor(text: string, take: (row: Buffer) => void) {
    super(text)
    this.#take = take
  }

  /** Takes one row with its line end. An error is kept until the end: the connection must be read that far. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.failed !== null) return
    try {
      this.#take(chunk)
    } catch (error) {
      this.failed = error as Error
    }
  }
}

/**
 * Reads rows in the text form of COPY.
 * @param text the statement: COPY ... TO STDOUT
 * @param take receives the bytes of each row, its line end included; they are valid during the call alone
 * @throws the first error of `take`, once all rows have passed
 */
export function copyOut(client: Pick<pg.Client, 'query'>, text: string, take: (row: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = new CopyOut(text, take)
    const done = (error: Error | null | undefined) => {
      const failed = error ?? copy.failed
      if (failed) reject(failed)
      else resolve()
    }
    client.query(Object.assign(copy, { callback: done }))
  })
}
