import { Alert, Group, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  discardFailures,
  type Failure,
  listFailures,
  retryFailures,
  type Stage,
  stages,
} from '../../api/failures.ts'
import { Age } from '../../components/age.tsx'
import { Choices } from '../../components/choice-pane.tsx'
import { Action } from '../../components/controls/action.tsx'
import { SelectField } from '../../components/controls/fields.tsx'
import { useAsk } from '../../components/dialogs/confirm.tsx'
import { Faint, Line } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Pane } from '../../components/pane.tsx'
import panes from '../../components/panes.module.css'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { useLive } from '../../ui/live-queries.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { useTexts } from '../../ui/texts.ts'
import { FailurePane } from './failure-pane.tsx'
import styles from './failures.module.css'
import { formatSubject, texts } from './texts.ts'

const pageSize = 50
const route = getRouteApi('/failures/{-$of}/{-$id}')

/** The failures of every stage; one of them beside the list. */
export function FailuresPage() {
  const t = useTexts(texts)
  const { of, id } = route.useParams()
  const { stage, before } = route.useSearch()
  const navigate = useNavigate()
  const [sent, setSent] = useState(false)
  const page = useLive(
    ['failures', stage ?? '', before ?? ''],
    (client, signal) => listFailures(client, { stage, before, limit: pageSize }, signal),
    { keepsBefore: true },
  )
  const chosen = stages.find((one) => one === of)
  const open = (params: { of?: string; id?: string }, search: { stage?: Stage; before?: string }) =>
    navigate({ to: '/failures/{-$of}/{-$id}', params, search })
  const search = { ...(stage && { stage }), ...(before && { before }) }
  const filter = (text: string) => {
    const wanted = stages.find((one) => one === text)
    return open({}, wanted === undefined ? {} : { stage: wanted })
  }
  const choose = (key: string) => {
    const [chosenStage = '', chosenId = ''] = key.split('/')
    setSent(false)
    return open({ of: chosenStage, id: chosenId }, search)
  }
  const close = (wasSent: boolean) => {
    setSent(wasSent)
    return open({}, search)
  }
  const tools = (
    <Group align="end" justify="space-between" gap="xs" mb="xs">
      <StageField stage={stage} onChange={filter} />
      {stage !== undefined && (
        <AllActions
          key={stage}
          stage={stage}
          isEmpty={!page.data?.failures.length}
          onSent={() => setSent(true)}
        />
      )}
    </Group>
  )
  return (
    <>
      <PageHead title={t.title} />
      {sent && (
        <Alert role="status" color="teal" mb="sm" p="xs">
          <Text size="sm">{t.sent}</Text>
        </Alert>
      )}
      <div className={`${panes.panes} ${panes.two}`}>
        <Pane title={t.list} query={page} tools={tools}>
          {(found) => (
            <FailureList
              page={found}
              none={stage === undefined ? t.none : t.noneOf}
              chosen={`${of}/${id}`}
              onChoose={choose}
              onNewest={before === undefined ? undefined : () => open({}, stage ? { stage } : {})}
              onOlder={(next) => open({}, { ...(stage && { stage }), before: next })}
            />
          )}
        </Pane>
        {chosen !== undefined && id !== undefined && (
          <FailurePane key={`${of}/${id}`} stage={chosen} id={id} onDone={close} />
        )}
      </div>
    </>
  )
}

type StageProps = {
  readonly stage: Stage | undefined
  readonly onChange: (stage: string) => void
}

function StageField({ stage, onChange }: StageProps) {
  const t = useTexts(texts)
  return (
    <SelectField
      label={t.stage}
      value={stage ?? ''}
      data={[{ value: '', label: t.all }, ...stages.map((one) => ({ value: one, label: t[one] }))]}
      onChange={onChange}
    />
  )
}

type AllProps = {
  readonly stage: Stage
  /** Nothing is there to act on. */
  readonly isEmpty: boolean
  readonly onSent: () => void
}

/** For who sees the whole business: all of a stage may be of devices that others do not see. */
function AllActions({ stage, isEmpty, onSent }: AllProps) {
  const t = useTexts(texts)
  const { caller } = useSignedIn()
  const [ask, question] = useAsk()
  const retry = useChange<Stage>(retryFailures)
  const discard = () =>
    ask({
      title: t.discardAllTitle(t[stage]),
      action: t.discardAll,
      loss: t.discardAllLoss,
      work: (client) => discardFailures(client, stage),
    })
  if (caller.groups !== null || isEmpty) return null
  return (
    <>
      <Group gap="xs">
        <Action text={t.retryAll} busy={retry.isBusy} onClick={() => retry.run(stage, onSent)} />
        <Action text={t.discardAll} onClick={discard} />
      </Group>
      {retry.error !== null && <Trouble error={retry.error} />}
      {question}
    </>
  )
}

type ListProps = {
  readonly page: Awaited<ReturnType<typeof listFailures>>
  readonly none: string
  readonly chosen: string
  readonly onChoose: (key: string) => void
  readonly onNewest: (() => void) | undefined
  readonly onOlder: (before: string) => void
}

function FailureList({ page, none, chosen, onChoose, onNewest, onOlder }: ListProps) {
  const t = useTexts(texts)
  const { failures } = page
  const before = page.mayLoadMore ? page.before : undefined
  return (
    <>
      {failures.length === 0 ? (
        <NextStep>{none}</NextStep>
      ) : (
        <Choices
          label={t.list}
          items={failures}
          itemKey={({ stage, id }) => `${stage}/${id}`}
          chosen={chosen}
          onChoose={onChoose}
        >
          {(failure) => <FailureLine failure={failure} />}
        </Choices>
      )}
      {(onNewest !== undefined || before !== undefined) && (
        <Group gap="xs" mt="sm">
          <Action text={t.newest} disabled={!onNewest} onClick={onNewest} />
          <Action
            text={t.older}
            disabled={before === undefined}
            onClick={() => before !== undefined && onOlder(before)}
          />
        </Group>
      )}
    </>
  )
}

function FailureLine({ failure }: { readonly failure: Failure }) {
  const t = useTexts(texts)
  return (
    <>
      <Line ends>
        <span className={styles.text}>{formatSubject(failure)}</span>
        <Faint inline>
          <Age at={failure.failed_at} />
        </Faint>
      </Line>
      <Faint>
        <span>{t[failure.stage]}</span>
        <span className={styles.reason}>{failure.reason}</span>
      </Faint>
    </>
  )
}
