import { Code, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../api/failures.ts'
import { Action } from '../../components/controls/action.tsx'
import { LongField } from '../../components/controls/fields.tsx'
import { Trouble } from '../../components/trouble.tsx'
import type { Change } from '../../ui/change.ts'
import { useTexts } from '../../ui/texts.ts'
import styles from './failures.module.css'
import { texts } from './texts.ts'

/** `input`: in place of the one before. */
export type Retried = { readonly input?: unknown }

type Props = {
  readonly failure: Failure
  readonly retry: Change<Retried>
  readonly onSent: () => void
  /** Beside the button that sends. */
  readonly children: ReactNode
}

/** The input of what failed, corrected where the stage takes another one, and the retry. */
export function RetryForm({ failure, retry, onSent, children }: Props) {
  const t = useTexts(texts)
  const before = shown(failure.input)
  const [text, setText] = useState(before)
  const [fault, setFault] = useState<string>()
  const { isBusy, error, run } = retry
  const isKept = failure.input !== null
  // A notification goes again as it was.
  const isOpen = isKept && failure.final === null && failure.stage !== 'notifications'
  const isCorrected = text !== before
  const submit = () => {
    if (!isCorrected) return run({}, onSent)
    const { input, wrong } = parsed(text)
    setFault(wrong)
    if (wrong === undefined) run({ input }, onSent)
  }
  return (
    <>
      {isOpen ? (
        <LongField
          className={styles.input ?? ''}
          label={t.input}
          description={t.inputHint}
          value={text}
          error={fault && `${t.wrong} ${fault}`}
          rows={Math.min(18, text.split('\n').length + 1)}
          spellCheck={false}
          size="sm"
          onChange={setText}
        />
      ) : (
        <>
          <Text size="sm" fw={500}>
            {t.input}
          </Text>
          {isKept ? (
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {before}
            </Code>
          ) : (
            <Text size="sm">{t.notKept}</Text>
          )}
        </>
      )}
      {error !== null && <Trouble error={error} />}
      <Group gap="xs" mt="sm">
        {failure.final === null && (
          <Action
            text={isCorrected ? t.retryCorrected : t.retry}
            main
            busy={isBusy}
            onClick={submit}
          />
        )}
        {children}
      </Group>
    </>
  )
}

const indent = 2

function shown(input: unknown): string {
  return JSON.stringify(input, null, indent)
}

function parsed(text: string): { readonly input?: unknown; readonly wrong?: string } {
  try {
    return { input: JSON.parse(text) as unknown }
  } catch (error) {
    return { wrong: (error as Error).message }
  }
}
