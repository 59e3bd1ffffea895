import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Source maps by the URL of the compiled file; null: it has none. */
const maps = new Map()

/**
 * Lets stack traces show lines of the sources. A map is read when a trace that needs it is looked at; Node itself reads that of
 * every file when it is imported, which takes a quarter of the time of a start.
 */
export function showSourceLines() {
  Error.prepareStackTrace = (error, frames) => [headOf(error), ...frames.map(lineOf)].join('\n    at ')
}

function headOf(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return 'Error' // its name or message cannot be read
  }
}

function lineOf(frame) {
  const text = frame.toString()
  const [url, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()]
  const found = url?.startsWith('file:') ? mapOf(url)?.findEntry(line - 1, column - 1) : undefined
  if (found?.originalSource === undefined) return text
  const source = new URL(found.originalSource, url).href
  return text.replace(`${url}:${line}:${column}`, `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`)
}

function mapOf(url) {
  if (!maps.has(url)) maps.set(url, readMap(url))
  return maps.get(url)
}

function readMap(url) {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')))
  } catch {
    return null
  }
}
