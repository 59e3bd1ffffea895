import type { AccountPolicy } from '../../../protocol/resources/account-policy.ts'
import type { Position } from '../../../protocol/resources/position.ts'
import type { Answer, Query } from '../../data/api-client.ts'
import { ApiError } from '../../data/api-error.ts'
import type { Position as StreamPosition } from '../../data/stream-position.ts'
import { type AccountRecords, NO_RECORDS, type Told, WORKING, withTold } from './account-records.ts'
import type { PrivateApi } from './private-api.ts'

/** All that the page shows of an account, and the place in its streams where it was read. */
export type AccountRead = {
  readonly records: AccountRecords
  readonly position: StreamPosition | null
  /** What the key has no right to read. */
  readonly hidden: readonly Told['kind'][]
}

/** The newest so many of what has no end. */
const NEWEST = 50
/** More working orders, positions and assets than this are not shown. */
const MOST = 1000

type Page = { readonly kind: Told['kind']; readonly answer: Answer<readonly unknown[]> | null }

/** Reads the account. */
export async function readAccount(api: PrivateApi, signal: AbortSignal): Promise<AccountRead> {
  const read = async (kind: Told['kind'], query: Query): Promise<Page> => ({
    kind,
    answer: await orHidden(api.get<readonly unknown[]>(`/${kind}`, query, signal)),
  })
  const pages = await Promise.all([
    read('orders', { limit: NEWEST }),
    ...WORKING.map((status) => read('orders', { status, limit: MOST })),
    read('fills', { limit: NEWEST }),
    read('positions', { limit: MOST }),
    read('balances', {}),
    read('settlements', { limit: NEWEST }),
  ])
  const told = pages.map(({ kind, answer }) => ({ kind, records: answer?.data ?? [] }) as Told)
  return {
    records: told.reduce(withTold, NO_RECORDS),
    position: earliest(pages),
    hidden: pages.filter(({ answer }) => answer === null).map(({ kind }) => kind),
  }
}

async function orHidden<T>(answer: Promise<Answer<T>>): Promise<Answer<T> | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.code === 'AUTH_SCOPE_INSUFFICIENT') return null
    throw error
  }
}

/** What is held now, with its newest marks. */
export async function readPositions(api: PrivateApi, signal: AbortSignal): Promise<readonly Position[]> {
  return (await api.get<readonly Position[]>('/positions', { limit: MOST }, signal)).data
}

/** The rules that the account trades under; its id among them. */
export async function readPolicy(api: PrivateApi, signal: AbortSignal): Promise<AccountPolicy> {
  return (await api.get<AccountPolicy>('/account/policy', {}, signal)).data
}

/** Each answer is of its own instant: the stream goes on after the earliest, and what comes twice changes nothing. */
function earliest(pages: readonly Page[]): StreamPosition | null {
  const cursors = pages.flatMap(({ answer }) => answer?.meta.stream_cursor ?? [])
  return cursors.reduce<StreamPosition | null>((least, one) => (least && least.seq <= one.seq ? least : one), null)
}
