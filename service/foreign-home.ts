import { statSync } from 'node:fs'
import { foreignFolder } from '../trading/store/postgres/run-as.ts'
import { isObjectStore } from '../warehouse/store/s3/s3-location.ts'
import type { Settings } from './configuration.ts'

const ROOT = 0

/**
 * Refuses root where another user owns the home or the warehouse. Permissions stop every other user, but files that root makes there
 * stop the service: it can neither read nor replace them, and Postgres would start on other data.
 * @param again command line that the refusal proposes, such as `tidemark backup`
 * @throws {ServiceError} VALIDATION_USAGE_INVALID
 */
export function refuseForeignHome({ home, warehouse }: Pick<Settings, 'home' | 'warehouse'>, again: string): void {
  if (process.getuid?.() !== ROOT) return
  for (const [name, folder] of Object.entries({ home, warehouse })) {
    const owner = isObjectStore(folder) ? ROOT : ownerOf(folder)
    if (owner !== ROOT) throw foreignFolder(name, folder, owner, `${again} ...`)
  }
}

/** Returns the owner of a folder; a missing one will be made by root. */
function ownerOf(folder: string): number {
  try {
    return statSync(folder).uid
  } catch {
    return ROOT
  }
}
