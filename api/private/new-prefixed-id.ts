import type { Micros } from '../../primitives/instants.ts'
import { newRequestId } from '../server/request-id.ts'

/** Creates an id such as `ord_` and the 32 hex digits of a version 7 UUID; ids of one process sort by time. */
export function newPrefixedId(prefix: 'ord' | 'cmd' | 'whk', now: Micros): string {
  return `${prefix}_${newRequestId(Math.floor(now / 1000)).replaceAll('-', '')}`
}
