import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './source-files.ts'

/** A complete program of a page, after the heading that it belongs to. */
export type Example = { readonly heading: string; readonly code: string }

/** Returns the JavaScript examples of a page in its order. */
export function pageExamples(page: string): Example[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return text.split(/^## /m).flatMap((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    return [...section.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => ({ heading, code: code! }))
  })
}
