import { Context } from '@temporalio/activity'
import type { WorkerInterceptors } from '@temporalio/worker'
import type { BackfillSubject } from '../../../operations/backfill/backfill-subject.ts'
import { CHUNK } from './scenarios.ts'

/** Chunks of every scripted backfill: one market, a chunk a day. */
export const DAYS = 3

/** Returns the request of a market's backfill. */
export const subjectOf = (market: string): BackfillSubject => ({
  kind: 'venue',
  request: { venue_id: 'kalshi', from: '2026-01-01T00:00:00Z', to: '2026-01-04T00:00:00Z', markets: [market] },
})

/** Backfills with one part of three days, whose chunks do what a script says. */
export type ScriptedBackfills = {
  /** Work of the chunks of each market, in their order; a chunk without any is done at once. */
  readonly script: Map<string, (() => Promise<unknown>)[]>
  readonly interceptors: WorkerInterceptors
}

/** Creates the script of a worker, and the interceptors by which its activities follow it. */
export function scriptedBackfills(): ScriptedBackfills {
  const script: ScriptedBackfills['script'] = new Map()
  const act = async (args: Record<string, unknown>): Promise<unknown> => {
    const { activityType } = Context.current().info
    if (activityType === 'planBackfill') return { parts: 1, chunks: DAYS }
    if (activityType === 'readBackfillPlan') {
      const { request } = args.subject as BackfillSubject & { request: { markets: string[] } }
      return [{ subject: request.markets[0], from: request.from, to: request.to, chunks: DAYS }]
    }
    if (activityType !== 'backfillChunk') return null
    await script.get(String(args.source_market_id))?.shift()?.()
    return CHUNK
  }
  const execute = ({ args }: { readonly args: readonly unknown[] }) => act(args[0] as Record<string, unknown>)
  return { script, interceptors: { activity: [() => ({ inbound: { execute } })] } }
}

/** Work that lasts until it is cancelled. */
export const forever = () => Context.current().cancelled

/** Work that takes some seconds. */
export const seconds = (count: number) => () => new Promise((resolve) => setTimeout(resolve, count * 1_000))
