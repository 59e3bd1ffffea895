import { turns } from '../data/live.ts'
import { logFiles } from './log-files.ts'
import { type KeptTexts, seenLogs } from './seen-logs.ts'

/** Files of the log of the service that serves the page. */
export const FILES = logFiles({ fetch: (url, options) => fetch(url, options), turns })

/** Memory of this browser; empty where it forbids one. */
export const SEEN = seenLogs(ownStorage())

function ownStorage(): KeptTexts {
  try {
    return localStorage
  } catch {
    return {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('this browser keeps nothing', 'SecurityError')
      },
    }
  }
}
