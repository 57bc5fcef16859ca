import { Button, FileButton, Group, Text } from '@mantine/core'
import type { Client } from '../../api/client.ts'
import type { Connector } from '../../api/connectors.ts'
import {
  type Authority,
  createAuthority,
  extendWindow,
  listWindows,
  putRevocationList,
  type RevocationList,
  readAuthority,
  readRevocationList,
  removeRevocationList,
  type Window,
} from '../../api/provisioning/certificates.ts'
import { Badge } from '../../components/badge.tsx'
import { Action } from '../../components/controls/action.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { Table } from '../../components/table/table.tsx'
import { Trouble } from '../../components/trouble.tsx'
import { useChange } from '../../ui/change.ts'
import { hasCode } from '../../ui/errors.ts'
import { saveFile } from '../../ui/files.ts'
import { useLive } from '../../ui/live.ts'
import { useTexts } from '../../ui/texts.ts'
import { moment } from '../../ui/words.ts'
import { certificateTexts } from './certificate-texts.ts'
import { DeviceCertificatesPane } from './device-certificates-pane.tsx'
import styles from './settings/settings.module.css'
import { choiceTexts } from './settings/texts.ts'

type Props = { readonly connector: Connector }

/** The certificates of a connector: whose it trusts, what is revoked, and what ends next. */
export function CertificatesView({ connector }: Props) {
  return (
    <div className={styles.stack}>
      <AuthorityPane connector={connector} />
      <RevocationPane connector={connector} />
      <DeviceCertificatesPane connector={connector} />
      <WindowsPane connector={connector} />
    </div>
  )
}

/** Null in the place of what is not there. */
function orNone<Data>(read: (client: Client, signal: AbortSignal) => Promise<Data>) {
  return (client: Client, signal: AbortSignal): Promise<Data | null> =>
    read(client, signal).catch((error: unknown) => {
      if (hasCode(error, 'not_found')) return null
      throw error
    })
}

function AuthorityPane({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const authority = useLive<Authority | null>(
    ['authority', connector.id],
    orNone((client, signal) => readAuthority(client, connector.id, signal)),
  )
  const create = useChange<undefined>((client) => createAuthority(client, connector.id))
  return (
    <Pane title={t.authority} query={authority}>
      {(found) => (
        <>
          <Trust connector={connector} />
          {found === null ? (
            <>
              <NextStep>{t.noAuthority}</NextStep>
              <Action
                text={t.create}
                main
                busy={create.isBusy}
                onClick={() => create.run(undefined)}
              />
            </>
          ) : (
            <>
              <Text size="sm">{t.valid(moment(found.not_before), moment(found.not_after))}</Text>
              <Save name={`${connector.id}-ca.pem`} text={found.certificate}>
                {t.saveAuthority}
              </Save>
            </>
          )}
          {create.error !== null && <Trouble error={create.error} />}
        </>
      )}
    </Pane>
  )
}

function Trust({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const words = useTexts(choiceTexts)
  const { enabled, ca, vendor } = connector.provisioning.pki
  const vendorWord = (words as Readonly<Record<string, string>>)[vendor ?? ''] ?? words.noVendor
  return (
    <Text size="sm" mb="xs">
      {enabled ? t.trusts : t.noPki} {enabled && ca !== null && t.hasCa} {t.vendor(vendorWord)}
    </Text>
  )
}

function RevocationPane({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const list = useLive<RevocationList | null>(
    ['crl', connector.id],
    orNone((client, signal) => readRevocationList(client, connector.id, signal)),
  )
  const put = useChange<File>((client, file) => putRevocationList(client, connector.id, file))
  const remove = useChange<undefined>((client) => removeRevocationList(client, connector.id))
  const error = put.error ?? remove.error
  return (
    <Pane title={t.revoked} query={list}>
      {(found) => (
        <>
          {found === null && <NextStep>{t.noList}</NextStep>}
          {found !== null && <ListFacts list={found} />}
          <Group gap="xs" mt="xs">
            <FileButton onChange={(file) => file !== null && put.run(file)}>
              {(props) => (
                <Button {...props} variant="default" size="xs" loading={put.isBusy}>
                  {t.uploadList}
                </Button>
              )}
            </FileButton>
            {found !== null && (
              <>
                <Save name={`${connector.id}-crl.pem`} text={found.crl}>
                  {t.saveList}
                </Save>
                <Action
                  text={t.removeList}
                  busy={remove.isBusy}
                  onClick={() => remove.run(undefined)}
                />
              </>
            )}
          </Group>
          {error !== null && <Trouble error={error} />}
        </>
      )}
    </Pane>
  )
}

function ListFacts({ list }: { readonly list: RevocationList }) {
  const t = useTexts(certificateTexts)
  const { revoked, next_update: next, stale } = list
  return (
    <Text size="sm" component="div">
      {t.count(revoked)} {next !== null && t.due(moment(next))}{' '}
      {stale && <Badge tone="care" icon="warning" text={t.stale} />}
    </Text>
  )
}

const windowsShown = 20
const extraHours = 48

function WindowsPane({ connector }: Props) {
  const t = useTexts(certificateTexts)
  const page = useLive(['windows', connector.id], (client, signal) =>
    listWindows(client, connector.id, windowsShown, signal),
  )
  const extend = useChange<string>((client, identity) =>
    extendWindow(client, connector.id, { identity, hours: extraHours }),
  )
  return (
    <Pane title={t.windows} query={page}>
      {({ windows }) => (
        <>
          {windows.length === 0 && <NextStep>{t.noWindows}</NextStep>}
          {windows.length > 0 && (
            <Table heads={[t.identity, t.closes, t.change]} narrow="stacked">
              {windows.map((one) => (
                <WindowRow
                  key={one.identity}
                  window={one}
                  onExtend={() => extend.run(one.identity)}
                />
              ))}
            </Table>
          )}
          {extend.error !== null && <Trouble error={extend.error} />}
        </>
      )}
    </Pane>
  )
}

type RowProps = { readonly window: Window; readonly onExtend: () => void }

function WindowRow({ window: { identity, expire }, onExtend }: RowProps) {
  const t = useTexts(certificateTexts)
  return (
    <tr>
      <td>{identity}</td>
      <td data-label={t.closes}>{moment(expire)}</td>
      <td>
        <Action text={t.extend} small aria-label={t.extendFor(identity)} onClick={onExtend} />
      </td>
    </tr>
  )
}

type SaveProps = {
  readonly name: string
  readonly text: string
  readonly children: string
}

function Save({ name, text, children }: SaveProps) {
  return (
    <Action
      text={children}
      icon="download"
      onClick={() => saveFile(name, 'application/x-pem-file', text)}
    />
  )
}
