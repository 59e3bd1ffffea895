/** A gate at which clients wait while it is closed. */
export class Gate {
  #opened: Promise<void> | null = null
  #open: () => void = () => undefined

  close(): void {
    this.#opened ??= new Promise((resolve) => {
      this.#open = resolve
    })
  }

  open(): void {
    this.#opened = null
    this.#open()
  }

  /** Resolves once the gate is open. */
  async pass(): Promise<void> {
    while (this.#opened !== null) await this.#opened
  }

  /** Carries out work while the gate is closed, and opens it. */
  async closedFor<T>(work: () => Promise<T>): Promise<T> {
    this.close()
    try {
      return await work()
    } finally {
      this.open()
    }
  }
}
