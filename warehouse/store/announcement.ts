import { randomUUID } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import type { Announcement } from './store.ts'

/** Name of the object that announces a commit: its instant, its table and a UUID. */
const ANNOUNCEMENT = /^commit-(\d+)-(?:([a-z_]+)-)?[0-9a-f]{8}-/

/** Returns a new name for the announcement of a commit. */
export function announcementName(table: string, at: Micros): string {
  return `commit-${at}-${table}-${randomUUID()}`
}

/** Returns the announcement that a name states; none if it is of another kind. */
export function announcementsOf(name: string): Announcement[] {
  const [, at, table = null] = ANNOUNCEMENT.exec(name) ?? []
  return at === undefined ? [] : [{ name, table, at: Number(at) }]
}
