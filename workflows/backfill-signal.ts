import { defineSignal } from '@temporalio/workflow'
import type { ChunkSums } from './backfill-plan.ts'

/** Chunks that a part has finished so far; its own result replaces them at its end. */
export type PartProgress = { readonly subject: string; readonly from: string; readonly sums: ChunkSums }

/** Tells a backfill the chunks that one of its parts has finished. */
export const partProgress = defineSignal<[PartProgress]>('partProgress')
