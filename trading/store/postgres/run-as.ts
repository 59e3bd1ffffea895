import { execFileSync } from 'node:child_process'
import { ServiceError } from '../../../primitives/errors.ts'

/**
 * Builds the refusal of a folder that another user owns. What this user made in it, the owner could not read or replace.
 * @param name  setting or part that has the folder, such as `home`
 * @param again command line to repeat as the owner
 */
export function foreignFolder(name: string, folder: string, owner: number, again: string): ServiceError {
  const user = userName(owner)
  const [whose, how] =
    user === null
      ? [`user ${owner}`, `setpriv --reuid ${owner} --clear-groups --`]
      : [`user ${user}`, `runuser -u ${user} --`]
  return new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `${name} is ${folder}, which belongs to ${whose}; allowed: run it as ${whose}: ${how} ${again}`,
    { [name]: folder },
  )
}

/** Returns the name of a user; null if this machine has none for the id, as in a container. */
function userName(uid: number): string | null {
  try {
    return execFileSync('id', ['-nu', String(uid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
