import { readComments } from '../tree/syntax.ts'
import {
  type Check,
  type Files,
  type Finding,
  listWrittenPages,
  matching,
  splitLines,
} from '../tree/tree.ts'

/** One in 125 sentences may begin with a question word in place of its subject. */
const shareMax = 0.008
const shownMax = 40

const bare = /^(?:What|One|Those|Of|Whether|Who|How|Where|Nobody|Whose)\b/
const sources = /^(?:server|console|client|cli|insight-sdk|bench|dev|examples)\/.*\.(?:tsx?|mjs)$/

/** Text that stands together, and the line with which it begins. */
type Paragraph = { readonly text: string; readonly line: number }

/**
 * The sentences of comments and pages name their subject: "Late runs become jobs", not "What is
 * late becomes one". A few may begin otherwise; the share of these is bounded.
 */
export const sentencesNameTheirSubject: Check = (files) => {
  let count = 0
  const found: Finding[] = []
  for (const [file, paragraphs] of [...commentsIn(files), ...pagesIn(files)]) {
    for (const { text, line } of paragraphs) {
      for (const sentence of splitSentences(text)) {
        count += 1
        if (!bare.test(sentence)) continue
        found.push({ file, line, message: `the subject is missing: ${sentence.slice(0, 60)}` })
      }
    }
  }
  return found.length > count * shareMax ? found.slice(-shownMax) : []
}

/** The sentences of a paragraph, from their first letter on. */
function splitSentences(text: string): string[] {
  return text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?:])\s+(?=[A-Z`*("“[])/)
    .map((sentence) => sentence.replace(/^[^A-Za-z]+/, '').trim())
    .filter((sentence) => /[a-z]{2}/.test(sentence))
}

function commentsIn(files: Files): [file: string, paragraphs: Paragraph[]][] {
  return matching(files, sources)
    .filter(([file]) => !file.includes('/generated/'))
    .map(([file, text]) => [file, joinComments(file, text)])
}

/** The paragraphs of block comments; comments of one line that follow each other are one. */
function joinComments(file: string, text: string): Paragraph[] {
  let line = 1
  let at = 0
  let next = 0
  const found: { text: string; line: number }[] = []
  for (const { value, start } of readComments(file, text)) {
    line += text.slice(at, start).split('\n').length - 1
    at = start
    if (text[start + 1] === '*') {
      const plain = value.replace(/^\*/, '').replace(/^[ \t]*\* ?/gm, '')
      found.push(...plain.split(/\n\s*\n/).map((part) => ({ text: part, line })))
    } else if (found.length > 0 && line === next) {
      const last = found[found.length - 1]
      if (last !== undefined) last.text += `\n${value}`
      next = line + 1
    } else {
      found.push({ text: value, line })
      next = line + 1
    }
  }
  return found
}

/** The pages that people write, without code, headings and pages that are generated. */
function pagesIn(files: Files): [file: string, paragraphs: Paragraph[]][] {
  return listWrittenPages(files)
    .filter(([file]) => file !== 'CHANGELOG.md')
    .map(([file, text]) => [file, splitBlocks(text)])
}

function splitBlocks(page: string): Paragraph[] {
  const found: { text: string; line: number }[] = []
  let isFenced = false
  let isOpen = false
  for (const [index, content] of splitLines(page).entries()) {
    const isFence = /^\s*(?:```|~~~)/.test(content)
    if (isFence) isFenced = !isFenced
    const isItem = /^\s*(?:[*-]|\d+\.) /.test(content)
    if (isFence || isFenced || /^\s*$|^#/.test(content)) isOpen = false
    else if (content.startsWith('|')) {
      const cells = content.split(/(?<!\\)\|/).filter((cell) => /[a-z]\S* \S+ \S/.test(cell))
      found.push(...cells.map((text) => ({ text, line: index + 1 })))
      isOpen = false
    } else if (isOpen && !isItem) {
      const last = found[found.length - 1]
      if (last !== undefined) last.text += `\n${content}`
    } else {
      found.push({ text: content.replace(/^\s*(?:[*-]|\d+\.) /, ''), line: index + 1 })
      isOpen = true
    }
  }
  return found
}
