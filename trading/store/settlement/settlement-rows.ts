import { readFileSync } from 'node:fs'
import { ServiceError } from '../../../primitives/errors.ts'
import type { Pool } from '../create-pool.ts'

/** Runs a statement of this folder. @throws {ServiceError} SERVICE_UNAVAILABLE: the database does not answer */
export type SettlementRows = <T extends object>(name: string, ...values: readonly unknown[]) => Promise<readonly T[]>

/** Creates the runner of this folder's statements over a pool; each connection prepares them once. */
export function settlementRows(pool: Pool): SettlementRows {
  return async <T extends object>(name: string, ...values: readonly unknown[]) => {
    try {
      return (await pool.query<T>({ name: `settlement_${name}`, text: sql(name), values: [...values] })).rows
    } catch (error) {
      const { message } = error as Error
      throw new ServiceError('SERVICE_UNAVAILABLE', `the trading database does not answer: ${message}`, {}, error)
    }
  }
}

const TEXTS = new Map<string, string>()

function sql(name: string): string {
  const known = TEXTS.get(name) ?? readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')
  TEXTS.set(name, known)
  return known
}
