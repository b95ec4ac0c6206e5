import type { SettingName, Settings } from './table.js';

/** A setting that does nothing without another one, and the sentence that refuses it alone. */
export interface Need {
  readonly setting: SettingName;
  readonly needed: SettingName;
  /** `{it}` stands for the setting, `{needed}` for the other one, each as the operator writes it. */
  readonly sentence: string;
}

const need = (setting: SettingName, needed: SettingName, sentence: string): Need => ({ setting, needed, sentence });

/** Every setting that changes nothing while another one is not given: what is given in vain is not ignored silently. */
export const NEEDS: readonly Need[] = [
  need('drop-in-callers', 'drop-in', '{it} requires {needed}.'),
  need('drop-in-root', 'drop-in', '{it} requires {needed}: set both, or remove it.'),
  need('drop-in-limit', 'drop-in', '{it} requires {needed}: set both, or remove it.'),
  need(
    'workspace-limit',
    'workspace',
    '{it} limits fetches per workspace, but {needed} is not set: set it, or remove the limit.',
  ),
  need(
    'store-replicas-on-disk',
    'store-replicas',
    '{it} applies to the replicas of {needed}: set that too, or remove it.',
  ),
  need('tls-cert', 'tls-key', '{it} and {needed} go together: set both, or neither.'),
  need('tls-key', 'tls-cert', '{needed} and {it} go together: set both, or neither.'),
];

/** The first setting that was given and does nothing, for want of another one; undefined where each has what it needs. */
export function missingNeed(settings: Settings, isGiven: (name: SettingName) => boolean): Need | undefined {
  return NEEDS.find(({ setting, needed }) => isGiven(setting) && isOn(settings[setting]) && !isOn(settings[needed]));
}

/** Whether a value asks for something: `--store-replicas-on-disk=false` does not. */
function isOn(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false;
}
