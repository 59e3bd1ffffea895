import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { reachedNames } from './reached-names.mjs'

/**
 * Keeps what the entries reach of the declarations, with imports that name compiled files; all others describe what no caller sees.
 * @param folder  declarations as the compiler wrote them
 * @param entries paths in it
 * @returns       specifiers of packages that the declarations name, which should be none
 */
export function keepReachedDeclarations(folder, entries) {
  const { modules, packages } = reachedNames(
    entries.map((entry) => join(folder, entry)),
    readModule,
  )
  const texts = [...modules].map(([path, module]) => [path, keptText(module)])
  rmSync(folder, { recursive: true })
  for (const [path, text] of texts) {
    if (text === '') continue
    mkdirSync(dirname(path), { recursive: true })
    // Tabs, and no semicolon where a line ends: the compiler's four spaces are a fifth of the files. What is made from the OpenAPI
    // document is not indented at all.
    const tabs = (spaces) => (path.includes('/contract/') ? '' : '\t'.repeat(spaces.length / 4))
    writeFileSync(path, text.replace(/^(?: {4})+/gm, tabs).replace(/;$/gm, ''))
  }
  return packages.map(([path, specifier]) => `${relative(folder, path)}: ${specifier}`).sort()
}

/** Reads the statements of a declaration file. @returns the parts that `reachedNames` follows */
function readModule(path) {
  const text = readFileSync(path, 'utf8')
  const target = (specifier) =>
    specifier.startsWith('.') ? resolve(dirname(path), specifier.replace(/\.ts$/, '.d.ts')) : null
  return { text, statements: parseSync(path, text).program.body.map((node) => readStatement(node, target)) }
}

function readStatement(node, target) {
  const specifier = node.source?.value
  const of = { node, ...(specifier !== undefined && { specifier, target: target(specifier) }) }
  if (node.type === 'ImportDeclaration')
    return {
      ...of,
      kind: 'import',
      names: node.specifiers.map((item) => [item.imported?.name ?? '*', item.local.name]),
    }
  if (node.type === 'ExportAllDeclaration') return { ...of, kind: 'export', names: [['*', '*']] }
  if (node.type === 'ExportNamedDeclaration' && node.declaration === null)
    return { ...of, kind: 'export', names: node.specifiers.map((item) => [item.local.name, item.exported.name]) }
  const declaration = node.declaration ?? node
  const declared = (declaration.declarations ?? [declaration]).map(({ id }) => id.name)
  return { ...of, kind: 'declaration', declared, used: usedNames(node, target) }
}

/** Returns the identifiers in a statement, and the modules that types in it name by `import()`. */
function usedNames(statement, target) {
  const names = new Set()
  const modules = []
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return
    if (node.type === 'Identifier') names.add(node.name)
    if (node.type === 'TSImportType') {
      const specifier = (node.source ?? node.argument.literal).value
      let named = node.qualifier
      while (named?.left !== undefined) named = named.left
      modules.push({ target: target(specifier), specifier, name: named?.name ?? '*' })
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(statement)
  return { names, modules }
}

/** Writes what is reached of a file, with the comments before each statement. */
function keptText({ text, statements }) {
  let end = 0
  const texts = statements.map((statement) => {
    const begin = end
    end = statement.node.end
    return keptStatement(text.slice(begin, end), statement)
  })
  if (texts.every((kept) => kept === '')) return ''
  const mark = statements.some(isModuleMark) ? '\nexport {};' : ''
  return `${texts.join('').trim()}${mark}\n`.replace(/((?:from |import\()(['"]))(\.[^'"]+?)\.ts\2/g, '$1$3.js$2')
}

/** Tests for `export {}`, without which every declaration of the file would be exported. */
function isModuleMark({ kind, names }) {
  return kind === 'export' && names.length === 0
}

function keptStatement(text, { kind, kept, names, node }) {
  if (kept === undefined) return ''
  if (kind === 'declaration' || kept.has('*') || names.some(([inside]) => inside === '*')) return text
  const list = names.flatMap(([inside, name], n) => {
    const { importKind, exportKind } = node.specifiers[n]
    const text = inside === name ? name : `${inside} as ${name}`
    return kept.has(name) ? [`${(importKind ?? exportKind) === 'type' ? 'type ' : ''}${text}`] : []
  })
  return text.replace(/\{[^}]*\}/, `{ ${list.join(', ')} }`)
}
