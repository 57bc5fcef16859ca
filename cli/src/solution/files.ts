import { readdir, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** Something of a folder that is not pushed as it may be expected. */
export type FileNote = { readonly file: string; readonly message: string }

export type ListedFiles = {
  /** With `/` between their parts, sorted; hidden ones are left out. */
  readonly paths: readonly string[]
  readonly notes: readonly FileNote[]
}

/**
 * Lists the files of a folder. A symbolic link counts as the file that it leads to, unless that
 * lies outside of the project: what is not part of a project must not be pushed with it.
 */
export async function listFiles(root: string, project: string): Promise<ListedFiles> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const inside = await realpath(project)
  const paths: string[] = []
  const notes: FileNote[] = []
  for (const entry of entries) {
    const whole = join(entry.parentPath, entry.name)
    const path = whole.slice(join(root, sep).length).split(sep).join('/')
    if (/(?:^|\/)\./.test(path)) continue
    const refusal = entry.isSymbolicLink() ? await refuseLink(whole, inside) : undefined
    if (refusal === undefined && (entry.isFile() || entry.isSymbolicLink())) paths.push(path)
    if (refusal === undefined) continue
    const file = relative(project, whole).split(sep).join('/')
    notes.push({ file, message: `is a link ${refusal}: it is left out` })
  }
  return { paths: paths.sort(), notes }
}

/** Returns why a link is not followed, as a sentence's part; undefined if it leads to a file. */
async function refuseLink(link: string, inside: string): Promise<string | undefined> {
  const target = await realpath(link).catch(() => undefined)
  if (target === undefined) return 'to nothing'
  if (!target.startsWith(join(inside, sep))) return 'that leads out of the project'
  return (await stat(target)).isFile() ? undefined : 'to a folder'
}
