import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { newToken, systemRandom } from './ids.ts'

/**
 * Makes a file unless there is one. It is written whole and to the disk under another name first,
 * then linked: a cut leaves no half of it, and of several processes that begin together one wins.
 * @returns what the file holds, whoever made it.
 */
export function createFileOnce(file: string, text: string, mode: number): string {
  withDraft(file, text, mode, (draft) => {
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  })
  return readFileSync(file, 'utf8')
}

/** Replaces a file, or makes it: a cut leaves the old one or the new one, never half of one. */
export function replaceFile(file: string, text: string, mode: number): void {
  withDraft(file, text, mode, (draft) => renameSync(draft, file))
}

function withDraft(file: string, text: string, mode: number, place: (draft: string) => void) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.new-${newToken(systemRandom)}`
  try {
    const handle = openSync(draft, 'wx', mode)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    place(draft)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
}

/** The name of a new file must outlive a power cut as its content does. */
export function syncFolder(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
