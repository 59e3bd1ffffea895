import { expect, test } from 'vitest'
import { isPackageFile } from '../../primitives/installed-file.ts'

const CHECKOUT = '/src/tidemark'
const INSTALLED = '/app/node_modules/tidemark/'

test.each([
  [CHECKOUT, '/src/tidemark/console/views/ingest-page.ts', false],
  [CHECKOUT, '/src/tidemark/node_modules/viem/index.js', true],
  [CHECKOUT, '/src/tidemark/client/node_modules/ws/index.js', true],
  [CHECKOUT, '/src/tidemark-packages/viem/index.js', true],
  [INSTALLED, '/app/node_modules/tidemark/console/views/ingest-page.ts', false],
  [INSTALLED, '/app/node_modules/tidemark/..names/page.ts', false],
  [INSTALLED, '/app/node_modules/viem/index.js', true],
  [INSTALLED, '/app/node_modules/tidemark/node_modules/viem/index.js', true],
])('below %s, %s is of a package: %s', (root, file, expected) => {
  expect(isPackageFile(root, file)).toBe(expected)
})
