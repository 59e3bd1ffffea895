import { invariant } from '../../primitives/errors.ts'

/** Cash that leaves one shard and arrives in another; the record of its leaving is repeated until the arrival is acknowledged. */
export type Move = { readonly id: string; readonly account: number; readonly amount: number }

/** Cash of all accounts in one shard: free, or reserved for working orders. */
export class ShardCash {
  moves = 0
  readonly #name: number
  readonly #free: Int32Array
  readonly #reserved: Int32Array
  /** Moves that arrived: a repeated one changes nothing. */
  readonly #arrived = new Set<string>()

  constructor(name: number, free: Int32Array) {
    this.#name = name
    this.#free = free
    this.#reserved = new Int32Array(free.length)
  }

  free(account: number): number {
    return this.#free[account]!
  }

  /** Free and reserved cash of all accounts. */
  get total(): number {
    return [this.#free, this.#reserved].flatMap((cash) => [...cash]).reduce((sum, amount) => sum + amount, 0)
  }

  reserve(account: number, amount: number): void {
    debit(this.#free, account, amount)
    this.#reserved[account]! += amount
  }

  release(account: number, amount: number): void {
    debit(this.#reserved, account, amount)
    this.#free[account]! += amount
  }

  send(account: number, amount: number): Move {
    debit(this.#free, account, amount)
    this.moves += 1
    return { id: `${this.#name}:${this.moves}`, account, amount }
  }

  /** @returns false: it had arrived before */
  receive({ id, account, amount }: Move): boolean {
    if (this.#arrived.has(id)) return false
    this.#arrived.add(id)
    this.#free[account]! += amount
    return true
  }
}

function debit(cash: Int32Array, account: number, amount: number): void {
  invariant(cash[account]! >= amount, `account ${account} has ${cash[account]}, ${amount} is taken`)
  cash[account]! -= amount
}
