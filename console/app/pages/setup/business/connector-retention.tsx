import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { readConnectorRetention, setConnectorRetention } from '../../../api/setup/upkeep.ts'
import { Action } from '../../../components/controls/action.tsx'
import { SelectField } from '../../../components/controls/fields.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Faint } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { listEveryMs, useConnectors, useRead } from '../../../ui/live-queries.ts'
import { readText } from '../../../ui/submit.ts'
import { useTexts } from '../../../ui/texts.ts'
import styles from '../setup.module.css'
import { limitsTexts } from './limits-texts.ts'

/** The period for which values of one connector are kept: the business itself decides. */
export function ConnectorRetention() {
  const t = useTexts(limitsTexts)
  const connectors = useConnectors()
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? connectors.data?.[0]?.id
  if (connectors.data?.length === 0) return null
  return (
    <Pane title={t.connectors} query={connectors}>
      {(found) => (
        <>
          <Faint>{t.connectorHint}</Faint>
          <div className={styles.filters}>
            <SelectField
              label={t.connector}
              value={id ?? ''}
              data={found.map((one) => ({ value: one.id, label: one.name || one.id }))}
              onChange={setChosen}
            />
            {id !== undefined && <Period key={id} connector={id} />}
          </div>
        </>
      )}
    </Pane>
  )
}

const hoursPerDay = 24

function Period({ connector }: { readonly connector: string }) {
  const t = useTexts(limitsTexts)
  const [isWrong, setWrong] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const hours = useRead('retention', readConnectorRetention, [connector], {
    everyMs: listEveryMs * 5,
  })
  const { isBusy, error, run } = useChange<number | null>((client, wanted) =>
    setConnectorRetention(client, connector, { hours: wanted }),
  )
  const submit = (fields: FormData) => {
    const text = readText(fields, 'days')
    const wanted = text === '' ? null : Math.round(Number(text.replace(',', '.')) * hoursPerDay)
    const isNumber = wanted === null || wanted > 0
    setWrong(!isNumber)
    setSaved(false)
    if (isNumber) run(wanted, () => setSaved(true))
  }
  if (hours.error !== null) return <Trouble error={hours.error} />
  if (hours.data === undefined) return null
  return (
    <Form className={styles.filters} onSubmit={submit} style={{ marginBottom: 0 }}>
      <TextInput
        size="xs"
        name="days"
        inputMode="decimal"
        label={t.period}
        defaultValue={hours.data === null ? '' : `${hours.data / hoursPerDay}`}
        error={isWrong ? t.wrong : undefined}
      />
      <Action text={t.save} submit busy={isBusy} />
      <span role="status">{isSaved && <Faint inline>{t.saved}</Faint>}</span>
      {error !== null && <Trouble error={error} />}
    </Form>
  )
}
