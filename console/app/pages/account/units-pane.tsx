import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { changePreferences, type PreferredUnits } from '../../api/people/own-account.ts'
import { type DataType, listDataTypes } from '../../api/signals.ts'
import { FieldsForm } from '../../components/form/fields-form.tsx'
import { Faint } from '../../components/line.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { listEveryMs } from '../../ui/live-queries.ts'
import { useSignedIn } from '../../ui/session.tsx'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { usePreferences } from '../../ui/units/preferences.ts'

const texts = defineTexts({
  title: ['Preferred units', 'Bevorzugte Einheiten'],
  about: [
    'Plots show values of a type in these units, in each of your browsers.',
    'Diagramme zeigen Werte eines Typs in diesen Einheiten, in jedem Ihrer Browser.',
  ],
  type: ['Type', 'Typ'],
  units: ['Units', 'Einheiten'],
  unitsOf: (type: string) => [`Units of ${type}`, `Einheiten: ${type}`],
  own: ['of the signal', 'des Signals'],
  metric: ['metric', 'metrisch'],
  us: ['US customary', 'US-amerikanisch'],
  newType: ['Another type', 'Weiterer Typ'],
  newUnits: ['Its units', 'Seine Einheiten'],
  add: ['Add', 'Hinzufügen'],
})

/** The units that the person prefers, type by type. */
export function UnitsPane() {
  const t = useTexts(texts)
  const { client } = useSignedIn()
  const preferences = usePreferences(listEveryMs)
  // The catalogue is the same until the server is another.
  const { data: types = [] } = useQuery({
    queryKey: ['data-types'],
    queryFn: ({ signal }) => listDataTypes(client, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Pane title={t.title} query={preferences}>
      {({ units }) => <Preferred {...{ types, units }} />}
    </Pane>
  )
}

type Props = {
  readonly types: readonly DataType[]
  readonly units: Readonly<Record<string, PreferredUnits>>
}

function Preferred({ types, units }: Props) {
  const t = useTexts(texts)
  const prefer = useChange<Readonly<Record<string, PreferredUnits | null>>>((client, units) =>
    changePreferences(client, { units }),
  )
  const typeName = (id: string) => types.find((one) => one.id === id)?.name ?? id
  const systems = (['metric', 'us'] as const).map((value) => ({ value, label: t[value] }))
  const others = types
    .filter(({ id, convertable }) => convertable && !(id in units))
    .toSorted((one, other) => one.name.localeCompare(other.name))
  return (
    <>
      <Faint>{t.about}</Faint>
      {prefer.error !== null && <Trouble error={prefer.error} />}
      {Object.keys(units).length > 0 && (
        <Table heads={[t.type, t.units]} narrow="paired">
          {Object.entries(units).map(([type, preferred]) => (
            <tr key={type}>
              <td>{typeName(type)}</td>
              <td>
                <NativeSelect
                  aria-label={t.unitsOf(typeName(type))}
                  size="xs"
                  value={preferred}
                  data={[{ value: 'own', label: t.own }, ...systems]}
                  onChange={({ currentTarget: { value } }) =>
                    prefer.run({ [type]: value === 'metric' || value === 'us' ? value : null })
                  }
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <FieldsForm
        isBelow
        action={t.add}
        fields={[
          {
            name: 'type',
            as: NativeSelect,
            label: t.newType,
            data: others.map(({ id, name }) => ({ value: id, label: name })),
          },
          { name: 'units', as: NativeSelect, label: t.newUnits, data: systems },
        ]}
        send={(client, { type, units: chosen }) =>
          changePreferences(client, { units: { [type]: chosen === 'us' ? 'us' : 'metric' } })
        }
      />
    </>
  )
}
