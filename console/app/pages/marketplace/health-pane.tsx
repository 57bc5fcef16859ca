import { Text } from '@mantine/core'
import { useState } from 'react'
import { checkModule, type ModuleCheck, type ModuleDetails } from '../../api/modules.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { Part } from '../../components/controls/part.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { moment } from '../../ui/words.ts'
import styles from './marketplace.module.css'
import { ProblemList } from './problem-list.tsx'

const texts = defineTexts({
  title: ['Health', 'Zustand'],
  good: ['answers', 'antwortet'],
  failing: (count: number) => [
    `${count} ${count === 1 ? 'failure' : 'failures'} in a row`,
    `${count} Fehler in Folge`,
  ],
  rests: (at: string) => [
    `It failed too often, and is not called until ${at}.`,
    `Es schlug zu oft fehl und wird bis ${at} nicht aufgerufen.`,
  ],
  complaints: ['What is odd about its answers', 'Was an seinen Antworten auffällt'],
  problems: [
    'What breaks the rules of definitions',
    'Was gegen die Regeln für Definitionen verstößt',
  ],
  check: ['Check it now', 'Jetzt prüfen'],
  checked: (functions: number) => [
    `It answered, and lists ${functions} ${functions === 1 ? 'function' : 'functions'}.`,
    `Es hat geantwortet und nennt ${functions} ${functions === 1 ? 'Funktion' : 'Funktionen'}.`,
  ],
  answered: ['It answered.', 'Es hat geantwortet.'],
  failed: ['It did not answer as it should:', 'Es hat nicht geantwortet, wie es sollte:'],
  fine: ['Nothing is wrong with it.', 'Es ist alles in Ordnung.'],
})

/** The recent calls of a module, and a check on request. */
export function HealthPane({ module }: { readonly module: ModuleDetails }) {
  const t = useTexts(texts)
  const [found, setFound] = useState<ModuleCheck>()
  const { error, isBusy, run } = useChange<void>(async (client) =>
    setFound(await checkModule(client, module.id)),
  )
  const { failuresInRow, lastFailure, restsUntil } = module.health
  return (
    <Part
      title={t.title}
      aside={
        failuresInRow === 0 ? (
          <Badge tone="good" icon="check" text={t.good} />
        ) : (
          <Badge tone="bad" icon="stop" text={t.failing(failuresInRow)} />
        )
      }
    >
      {restsUntil !== null && <Text size="sm">{t.rests(moment(restsUntil))}</Text>}
      {lastFailure !== null && (
        <Text size="sm" className={styles.text}>
          {lastFailure}
        </Text>
      )}
      <Complaints complaints={module.complaints} />
      {module.problems.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            {t.problems}
          </Text>
          <ProblemList label={t.problems} problems={module.problems} />
        </>
      )}
      <Action text={t.check} icon="check" mt="xs" busy={isBusy} onClick={() => run()} />
      {error !== null && <Trouble error={error} />}
      <div role="status">{found !== undefined && <Found found={found} />}</div>
    </Part>
  )
}

function Complaints({ complaints }: { readonly complaints: readonly string[] }) {
  const t = useTexts(texts)
  if (complaints.length === 0) return null
  return (
    <>
      <Text size="sm" mt="xs">
        {t.complaints}
      </Text>
      <ul className={styles.list} aria-label={t.complaints}>
        {complaints.map((one) => (
          <li key={one}>
            <Text size="sm" className={styles.text}>
              {one}
            </Text>
          </li>
        ))}
      </ul>
    </>
  )
}

function Found({ found }: { readonly found: ModuleCheck }) {
  const t = useTexts(texts)
  const { failure, functions, complaints, problems } = found
  const answered = functions === null ? t.answered : t.checked(functions)
  const isFine = failure === null && complaints.length === 0 && problems.length === 0
  return (
    <>
      <Text size="sm" mt="xs" className={styles.text}>
        {failure === null ? answered : `${t.failed} ${failure}`} {isFine && t.fine}
      </Text>
      <Complaints complaints={complaints} />
      {problems.length > 0 && <ProblemList label={t.problems} problems={problems} />}
    </>
  )
}
