import path from 'node:path';
import { type Copy, DockerfileParser, type Env, type From, type Instruction } from 'dockerfile-ast';

export interface Stage {
  readonly name: string | null;
  /** The base image. */
  readonly image: string;
  /** Whether the stage always runs on the builder's architecture. */
  readonly isOfBuilder: boolean;
  readonly steps: Step[];
  readonly environment: Record<string, string>;
  readonly labels: Record<string, string>;
  user: string;
  volume: string;
  ports: number[];
  stopSignal: string;
  entrypoint: readonly string[];
  command: readonly string[];
  health: { readonly options: Readonly<Record<string, string>>; readonly command: readonly string[] } | null;
}

/** A step that changes the files of a stage. */
export type Step =
  | { readonly kind: 'run'; readonly script: string; readonly folder: string }
  | {
      readonly kind: 'copy';
      /** The stage to copy from; null for the context. */
      readonly from: string | null;
      readonly sources: readonly string[];
      /** The target folder. */
      readonly target: string;
      readonly owner: string | null;
    };

/** Reads a Dockerfile. Throws on unknown instructions, so that no instruction silently goes untested. */
export function readDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  let folder = '/';
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') {
      stages.push(newStage(instruction as From));
      folder = '/';
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${keyword} stands before the first FROM.`);
    if (keyword === 'WORKDIR') folder = textOf(instruction);
    else if (keyword === 'RUN') stage.steps.push({ kind: 'run', script: textOf(instruction), folder });
    else if (keyword === 'COPY') stage.steps.push(copyOf(instruction as Copy, folder));
    else if (keyword in SAYINGS) SAYINGS[keyword]?.(stage, instruction);
    else throw new Error(`What ${keyword} does is not known here.`);
  }
  return stages;
}

/** Handlers of instructions that do not change the files of a stage. */
const SAYINGS: Readonly<Record<string, (stage: Stage, instruction: Instruction) => void>> = {
  // Ignored, because `built-image.ts` sets the value of each argument.
  ARG: () => {},
  ENV: (stage, instruction) => Object.assign(stage.environment, propertiesOf(instruction)),
  LABEL: (stage, instruction) => Object.assign(stage.labels, propertiesOf(instruction)),
  USER: (stage, instruction) => {
    stage.user = textOf(instruction);
  },
  VOLUME: (stage, instruction) => {
    stage.volume = textOf(instruction);
  },
  EXPOSE: (stage, instruction) => {
    stage.ports = textOf(instruction).split(' ').map(Number);
  },
  STOPSIGNAL: (stage, instruction) => {
    stage.stopSignal = textOf(instruction);
  },
  ENTRYPOINT: (stage, instruction) => {
    stage.entrypoint = execForm(textOf(instruction));
  },
  CMD: (stage, instruction) => {
    stage.command = execForm(textOf(instruction));
  },
  HEALTHCHECK: (stage, instruction) => {
    const options = Object.fromEntries(flagsOf(instruction as Copy));
    stage.health = { options, command: execForm(textOf(instruction).replace(/^CMD /, '')) };
  },
};

function newStage(from: From): Stage {
  return {
    name: from.getBuildStage(),
    image: from.getImage() ?? '',
    isOfBuilder: from.getPlatformFlag()?.getValue() === '$BUILDPLATFORM',
    steps: [],
    environment: {},
    labels: {},
    user: '',
    volume: '',
    ports: [],
    stopSignal: '',
    entrypoint: [],
    command: [],
    health: null,
  };
}

function copyOf(copy: Copy, folder: string): Step {
  const flags = new Map(flagsOf(copy));
  const words = textOf(copy).split(' ');
  const [sources, target = ''] = [words.slice(0, -1), words.at(-1)];
  if (!/(?:^\.|\/)$/.test(target)) throw new Error('COPY is known here into a folder, whose name ends in a slash.');
  return {
    kind: 'copy',
    from: flags.get('from') ?? null,
    sources,
    target: path.posix.resolve(folder, target),
    owner: flags.get('chown') ?? null,
  };
}

function flagsOf(instruction: Copy): [string, string][] {
  return instruction.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']);
}

function propertiesOf(instruction: Instruction): Record<string, string> {
  const properties = (instruction as Env).getProperties();
  return Object.fromEntries(properties.map((property) => [property.getName(), property.getValue() ?? '']));
}

/** Returns the arguments of an instruction, without its keyword and flags, on one line. */
function textOf(instruction: Instruction): string {
  return (instruction.getArgumentsContent() ?? '').replace(/\\\n\s*/g, '');
}

/** Parses a command in exec form, which runs without a shell. */
function execForm(text: string): string[] {
  const words: unknown = JSON.parse(text);
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`${text} needs a shell, which the image does not have.`);
}
