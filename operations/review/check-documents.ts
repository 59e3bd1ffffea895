import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ServiceError } from '../../primitives/errors.ts'
import { sha256Hex } from '../../primitives/ids.ts'

type WithDocuments = { readonly evidence: readonly { readonly content_hash: string; readonly document?: string }[] }

/**
 * Checks the copies of documents that a form names: each must have the hash that the form gives. The form is published without
 * where they lie.
 * @param file the form; copies are named from its folder
 * @throws {ServiceError} VALIDATION_EVIDENCE_INVALID, VALIDATION_INPUT_UNREADABLE
 */
export async function checkDocuments<F extends WithDocuments>(form: F, file: string): Promise<F> {
  const evidence = []
  for (const { document, ...item } of form.evidence) {
    if (document !== undefined) await checkDocument(resolve(dirname(file), document), document, item.content_hash)
    evidence.push(item)
  }
  return { ...form, evidence }
}

async function checkDocument(path: string, document: string, content_hash: string): Promise<void> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ServiceError(
      'VALIDATION_INPUT_UNREADABLE',
      `document ${document} cannot be read (${error.code}); allowed: a readable file beside the form`,
      { document },
    )
  })
  const hash = `sha256:${sha256Hex(bytes)}`
  if (hash === content_hash) return
  throw new ServiceError(
    'VALIDATION_EVIDENCE_INVALID',
    `content_hash of ${document} is ${content_hash}; allowed: ${hash}, the hash of its bytes`,
    { field: 'content_hash', value: content_hash },
  )
}
