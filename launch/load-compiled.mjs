import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { threadId } from 'node:worker_threads'

/**
 * Runs a compiled script. The bytecode that V8 makes of it is kept beside it, so that the next process need not compile it again.
 * V8 refuses bytecode of another version or other flags.
 * @param {URL} script
 */
export function loadCompiled(script) {
  const path = fileURLToPath(script)
  const code = `${path}.v8-${process.versions.v8}-${process.arch}`
  const cachedData = readIfThere(code)
  const compiled = new Script(readFileSync(path, 'utf8'), { filename: script.href, cachedData })
  compiled.runInThisContext()({ exports: {} }, createRequire(script))
  if (cachedData === undefined || compiled.cachedDataRejected) keep(code, compiled.createCachedData(), path)
}

function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** A user who may not write there starts without. @param {string} like  file whose readers may read it */
function keep(path, content, like) {
  const written = `${path}.${process.pid}-${threadId}`
  try {
    writeFileSync(written, content, { mode: statSync(like).mode & 0o777 })
    renameSync(written, path)
  } catch {}
}
