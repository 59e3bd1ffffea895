import type { Micros } from '../../primitives/instants.ts'
import type { Bucket, LedgerEntry, TransactionKind } from './entries.ts'

type Transaction = Pick<LedgerEntry, 'ledger_sequence' | 'kind' | 'reference_id' | 'engine_sequence' | 'at'>

/**
 * Ledger lines of a batch, stored by column: an object for each of the several lines of an order would dominate its cost.
 * Iterating yields objects.
 */
export class LedgerLines implements Iterable<LedgerEntry> {
  readonly #transactions: Transaction[] = []
  /** Number of lines before each transaction. */
  readonly #begins: number[] = []
  readonly #accounts: string[] = []
  readonly #assets: string[] = []
  readonly #buckets: Bucket[] = []
  readonly #amounts: number[] = []

  get length(): number {
    return this.#amounts.length
  }

  /** Begins a transaction; lines added next belong to it. */
  begin(
    ledger_sequence: number,
    kind: TransactionKind,
    reference_id: string,
    engine_sequence: number,
    at: Micros,
  ): void {
    this.#transactions.push({ ledger_sequence, kind, reference_id, engine_sequence, at })
    this.#begins.push(this.length)
  }

  add(account_id: string, asset_id: string, bucket: Bucket, amount: number): void {
    this.#accounts.push(account_id)
    this.#assets.push(asset_id)
    this.#buckets.push(bucket)
    this.#amounts.push(amount)
  }

  *[Symbol.iterator](): Generator<LedgerEntry> {
    for (let n = 0; n < this.#transactions.length; n += 1) {
      const end = this.#begins[n + 1] ?? this.length
      for (let line = this.#begins[n]!; line < end; line += 1) yield this.#entry(this.#transactions[n]!, line)
    }
  }

  #entry({ ledger_sequence, kind, reference_id, engine_sequence, at }: Transaction, line: number): LedgerEntry {
    return {
      ledger_sequence,
      kind,
      account_id: this.#accounts[line]!,
      asset_id: this.#assets[line]!,
      bucket: this.#buckets[line]!,
      amount: this.#amounts[line]!,
      reference_id,
      engine_sequence,
      at,
    }
  }
}
