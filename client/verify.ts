/** `tidemark-client/verify`: recomputes published levels, and checks the log that what was published is in. */

import type { ExecutableBand, LevelRobustness } from './contract/types.ts'
import { verifyEverything as everything } from './everything/verify-everything.ts'
import type { OnWait, PublicApi } from './http/public-api.ts'
import { ofOneClass, ofOneClassNow } from './tidemark-error.ts'
import { verifyLogOverHttp as logOverHttp } from './transparency/log-over-http.ts'
import { verifyRecord as record, verifySavedReceipt as savedReceipt } from './transparency/verify-saved.ts'
import { recomputeBand as band, recomputeRobustness as robustness } from './verify/recompute-robustness.ts'
import { verifyOverHttp as levels } from './verify/verify-over-http.ts'

export { applyChanges as applyKnowledgeChanges, type KnowledgeChange } from '../pipelines/index/knowledge-diff.ts'
export type { EverythingReport } from './everything/report.ts'
export type { VerifyEverythingOptions } from './everything/verify-everything.ts'
export { isTidemarkError, TidemarkError } from './tidemark-error.ts'
export type { VerifyLogOverHttpOptions } from './transparency/log-over-http.ts'
/** Levels to recompute: these observations, every revision of one index or, if neither is given, of all. */
export type VerifyLevelsRequest = {
  /** http or https address of a service, without /v1. */
  readonly base_url: string
  readonly observation_ids?: readonly string[]
  readonly index_id?: string
  readonly signal?: AbortSignal
  /** `total` counts the levels on the pages read so far. */
  readonly on_progress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly on_wait?: OnWait
}
export type VerifyLevelsReport = {
  readonly checked: number
  readonly reproduced: number
  /** Step of the calculation at which a level differs. */
  readonly failures: readonly {
    readonly observation_id: string
    readonly step: string
    readonly expected: string
    readonly actual: string
  }[]
  /** Indexes with ticks without a level, of those whose whole history was asked for; it is no failure. */
  readonly gaps: readonly {
    readonly index_id: string
    readonly expected: number
    readonly missing: number
    readonly first_missing: string
  }[]
}

/** Level to compute from; the latest if no observation is named. */
export type LevelAsked = { readonly index_id: string; readonly observation_id?: string }
export type Recomputed<T> = { readonly stated: T; readonly found: unknown; readonly agrees: boolean }

type AsyncWork = (...given: never[]) => Promise<unknown>
type Work = (...given: never[]) => unknown

/** Gives all errors of a function the one class of the client. */
function promised<F extends AsyncWork>(work: F): F {
  return ((...given: Parameters<F>) => ofOneClass(async () => work(...given))) as F
}

function now<F extends Work>(work: F): F {
  return ((...given: Parameters<F>) => ofOneClassNow(() => work(...given))) as F
}

/** Recomputes published levels to the last digit, from the public answers of a service alone. */
export const verifyOverHttp: (request: VerifyLevelsRequest) => Promise<VerifyLevelsReport> = promised(levels)

/** Verifies a whole deployment: its log, its governance, every level, rating and severity. */
export const verifyEverything = promised(everything)

/** Verifies every entry, tile and seal of the log of a service. */
export const verifyLogOverHttp = promised(logOverHttp)

/** Recomputes the missing-input bound and the manipulation cost of a level. @param api that of a public client */
export const recomputeRobustness: (
  api: PublicApi,
  asked: LevelAsked & { readonly basis_points?: number },
) => Promise<Recomputed<LevelRobustness>> = promised(robustness)

/** Recomputes the executable band of a level. @param api that of a public client */
export const recomputeBand: (
  api: PublicApi,
  asked: LevelAsked & { readonly notional: string },
) => Promise<Recomputed<ExecutableBand>> = promised(band)

/** Verifies that a record is in a log. */
export const verifyRecord = now(record)

/** Verifies a saved answer that was asked for with `receipt: true`. */
export const verifySavedReceipt = now(savedReceipt)
