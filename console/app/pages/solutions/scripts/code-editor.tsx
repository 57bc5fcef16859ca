import {
  HighlightStyle,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from '@codemirror/language'
import { lua } from '@codemirror/legacy-modes/mode/lua'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { type Highlighter, tags } from '@lezer/highlight'
import { basicSetup, EditorView } from 'codemirror'
import { useEffect, useRef } from 'react'
import styles from '../solutions.module.css'
import { completeLua } from './lua-completion.ts'
import type { ScriptProblem } from './problems.ts'

type Props = {
  readonly label: string
  readonly text: string
  readonly problems: readonly ScriptProblem[]
  readonly onChange: (text: string) => void
  /** Ctrl-S, or Cmd-S. */
  readonly onSave: () => void
}

/** The declarations of the two packages differ in a private property alone. */
const luaMode = lua as unknown as StreamParser<unknown>
const luaParser: StreamParser<unknown> = {
  ...luaMode,
  languageData: { ...luaMode.languageData, autocomplete: completeLua },
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'light-dark(#7a3e9d, #d0a6f0)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#1b6b38, #8fd6a3)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'light-dark(#8a4b08, #f0b879)' },
  { tag: tags.comment, color: 'light-dark(#59636b, #a3adb5)', fontStyle: 'italic' },
  { tag: tags.standard(tags.name), color: 'light-dark(#0b6073, #7fd3e3)' },
])

const selected = '.cm-selectionBackground'

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'light-dark(#fff, #181b1e)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { minHeight: '18rem', maxHeight: '65vh', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'light-dark(#000, #fff)' },
  '.cm-cursor': { borderLeftColor: 'light-dark(#000, #fff)' },
  '.cm-gutters': {
    color: 'light-dark(#59636b, #a3adb5)',
    backgroundColor: 'light-dark(#f4f6f7, #1f2327)',
    borderRight: '1px solid light-dark(#e3e8ec, #30363c)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'light-dark(#eef2f48c, #262b308c)' },
  // As specific as the rule of the editor's own look.
  [`${selected}, &.cm-focused > .cm-scroller > .cm-selectionLayer ${selected}`]: {
    backgroundColor: 'light-dark(#bfe3ea, #244b54)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'light-dark(#000, #fff)',
    backgroundColor: 'light-dark(#bfe3ea, #244b54)',
  },
  '.cm-completionInfo': { maxWidth: '28rem', whiteSpace: 'pre-line' },
  '.cm-tooltip, .cm-panels': {
    color: 'inherit',
    backgroundColor: 'light-dark(#fff, #2a2f34)',
    borderColor: 'light-dark(#d5dbe0, #454d54)',
  },
})

/** Lua in an editor. The Tab key leaves it, as it leaves any field. */
export function CodeEditor(props: Props) {
  const { label, text, problems } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const newest = useRef(props)
  newest.current = props

  useEffect(() => {
    if (place.current === null) return undefined
    const made = new EditorView({
      doc: newest.current.text,
      parent: place.current,
      extensions: [
        basicSetup,
        StreamLanguage.define(luaParser),
        syntaxHighlighting(colours as Highlighter),
        lintGutter(),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) newest.current.onChange(state.doc.toString())
        }),
        EditorView.domEventHandlers({
          keydown: (event) => {
            if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return false
            event.preventDefault()
            newest.current.onSave()
            return true
          },
        }),
      ],
    })
    view.current = made
    return () => made.destroy()
  }, [label])

  useEffect(() => {
    const { current: shown } = view
    if (shown === undefined || shown.state.doc.toString() === text) return
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: text } })
  }, [text])

  useEffect(() => {
    if (view.current !== undefined) showProblems(view.current, problems)
  }, [problems])

  return <div ref={place} className={styles.editor} />
}

/** Marks each line that has a problem, and goes to the first. */
function showProblems(view: EditorView, problems: readonly ScriptProblem[]): void {
  const { doc } = view.state
  const marks = problems.map(({ line, message }) => {
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
    return { from, to, severity: 'error' as const, message }
  })
  view.dispatch(setDiagnostics(view.state, marks))
  const [first] = marks
  if (first === undefined) return
  view.dispatch({ selection: { anchor: first.from }, scrollIntoView: true })
  view.focus()
}
