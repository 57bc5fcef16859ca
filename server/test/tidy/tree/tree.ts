import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The repository as text: path from its root, with forward slashes, to what the file holds. */
export type Files = ReadonlyMap<string, string>

/** A fault, where to find it, and what to do about it. Lines count from 1. */
export type Finding = { readonly file: string; readonly line: number; readonly message: string }

/** A rule of the repository. It reads nothing but the files that it is given. */
export type Check = (files: Files) => Finding[]

const foldersSkipped = new Set(['.git', '.millrace', 'node_modules', 'dist', 'test-results'])
/** Their generators are checked in their place. */
const generatedFolders = new Set(['server/src/api/graphql/generated', 'console/app/generated'])
const namesSkipped = /\.(log|tsbuildinfo|png|jpg|ico|woff2|gz|wasm|der|p12)$/
/** Pages name them; they have no text. */
const pictures = /^docs\/images\/.*\.png$/
const nul = '\0'

/** Every text file under `root` that is or could be committed. */
export function readTree(root: string): Files {
  const files = new Map<string, string>()
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      // In a linked work tree `.git` is a file.
      if (foldersSkipped.has(entry.name) || generatedFolders.has(path)) continue
      if (entry.isDirectory()) visit(path)
      if (!entry.isFile()) continue
      if (pictures.test(path)) files.set(path, '')
      if (namesSkipped.test(entry.name)) continue
      const text = readFileSync(join(root, path), 'utf8')
      if (!text.includes(nul)) files.set(path, text)
    }
  }
  visit('')
  return files
}

/** The files whose path matches, in the order of their paths. */
export function matching(files: Files, pattern: RegExp): [path: string, text: string][] {
  return [...files].filter(([path]) => pattern.test(path)).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The pages that people write; git ignores those which are generated. */
export function listWrittenPages(files: Files): [path: string, text: string][] {
  const generated = new Set(splitLines(files.get('.gitignore') ?? ''))
  return matching(files, /\.md$/).filter(([file]) => !generated.has(file))
}

/** Lines without the empty one after the last line's end. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The line on which the character at `offset` stands. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** A finding for every match of a global pattern. */
export function findAll(
  file: string,
  text: string,
  pattern: RegExp,
  message: (match: RegExpMatchArray) => string,
): Finding[] {
  return [...text.matchAll(pattern)].map((match) => ({
    file,
    line: lineAt(text, match.index),
    message: message(match),
  }))
}

/**
 * Returns whether a file is a test or belongs to one: it may stand outside the rules for what is
 * shipped.
 */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /^(server|console|insight-sdk)\/test\//.test(path)
}

/** TypeScript of the server that is shipped. */
export function shippedSources(files: Files): [path: string, text: string][] {
  return matching(files, /^server\/src\/.*\.ts$/).filter(([path]) => !isTest(path))
}
