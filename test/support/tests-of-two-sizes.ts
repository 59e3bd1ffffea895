import { basename } from 'node:path'
import { sourceFiles } from './source-files.ts'

/** Returns the test files outside test/slow that ask sized.ts for a size, by themselves or through a support file. */
export function testsOfTwoSizes(): string[] {
  const files = sourceFiles(['.ts']).filter(({ path }) => path.startsWith('test/'))
  const asking = files.filter(({ path, text }) => path !== 'test/support/sized.ts' && /\bsized\(/.test(text))
  const support = asking.map(({ path }) => `/${basename(path)}'`).filter((name) => !name.includes('.test.ts'))
  const isOne = ({ path, text }: (typeof files)[number]) =>
    path.endsWith('.test.ts') &&
    !path.startsWith('test/slow/') &&
    (asking.some((one) => one.path === path) || support.some((name) => text.includes(name)))
  return files.filter(isOne).map(({ path }) => path)
}
