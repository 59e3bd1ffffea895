import { isAbsolute, relative, sep } from 'node:path'

/**
 * Whether a file belongs to an installed package rather than to the product below a root. The root can itself be an installed package,
 * with its dependencies beside it or below it; so node_modules in the whole path says nothing.
 */
export function isPackageFile(root: string, file: string): boolean {
  const inside = relative(root, file)
  const folders = inside.split(sep)
  return isAbsolute(inside) || folders[0] === '..' || folders.includes('node_modules')
}
