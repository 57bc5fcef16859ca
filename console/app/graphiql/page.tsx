import { GraphiQL } from 'graphiql'
import { useMemo, useRef, useState } from 'react'
import { defineTexts, useLanguage, useTexts } from '../ui/texts.ts'
import { type AnswerExtensions, createFetcher } from './fetcher.ts'

const texts = defineTexts({
  back: ['Back to the console', 'Zurück zur Konsole'],
  explain: [
    'Explain only: say what it costs, and run nothing',
    'Nur erklären: sagen, was es kostet, und nichts ausführen',
  ],
  used: (cost: string, most: string) => [
    `Cost of the last answer: ${cost} of ${most}`,
    `Kosten der letzten Antwort: ${cost} von ${most}`,
  ],
  time: (ms: string) => [`${ms} ms`, `${ms} ms`],
  would: (cost: string, most: string) => [
    `It may cost ${cost} of ${most}`,
    `Es kann ${cost} von ${most} kosten`,
  ],
  rows: (rows: string) => [`${rows} rows`, `${rows} Zeilen`],
  dearest: (path: string) => [`dearest: ${path}`, `am teuersten: ${path}`],
  passes: ['it would run', 'es würde ausgeführt'],
  refused: ['it would be refused', 'es würde abgelehnt'],
  none: [
    'The cost of the last answer appears here.',
    'Hier erscheinen die Kosten der letzten Antwort.',
  ],
})

type Props = {
  /** Undefined: nobody is signed in at the console. */
  readonly authorization: string | undefined
  readonly defaultQuery: string
  readonly defaultHeaders: string
}

/** GraphiQL, below the way back to the console and the cost of the last answer. */
export function Page({ authorization, defaultQuery, defaultHeaders }: Props) {
  const t = useTexts(texts)
  const explains = useRef<HTMLInputElement>(null)
  const [last, setLast] = useState<AnswerExtensions>()
  const fetcher = useMemo(
    () =>
      createFetcher(window.location.origin, {
        authorization,
        explains: () => explains.current?.checked === true,
        onAnswer: setLast,
      }),
    [authorization],
  )
  return (
    <div className="page">
      <header className="bar">
        <a href="/">{t.back}</a>
        <label>
          <input type="checkbox" ref={explains} /> {t.explain}
        </label>
        <output aria-live="polite">
          <Cost extensions={last} />
        </output>
      </header>
      <main className="graphiql">
        <GraphiQL
          fetcher={fetcher}
          defaultQuery={defaultQuery}
          defaultHeaders={defaultHeaders}
          shouldPersistHeaders={false}
        />
      </main>
    </div>
  )
}

function Cost({ extensions }: { readonly extensions: AnswerExtensions | undefined }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const shown = (number: number) => number.toLocaleString(language)
  const { cost, explain } = extensions ?? {}
  if (explain !== undefined) {
    const { dearest, passes } = explain
    const parts = [
      t.would(shown(explain.cost), shown(explain.limit)),
      t.rows(shown(explain.rows)),
      ...(dearest === null ? [] : [t.dearest(dearest.path)]),
      passes ? t.passes : t.refused,
    ]
    return parts.join(' · ')
  }
  if (cost === undefined) return t.none
  const { usage, limits } = cost
  return [t.used(shown(usage.cost), shown(limits.cost)), t.time(shown(usage.time))].join(' · ')
}
