import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { soundMachines } from '../../stepfunctions/sound.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sound-'));
});

const machine = (States: object) => ({
  name: 'M',
  arn: 'arn:aws:states:us-east-1:000000000000:stateMachine:M',
  definition: { QueryLanguage: 'JSONata', StartAt: 'One', States },
});
const sound = machine({ One: { Type: 'Succeed' } });
const broken = machine({ One: { Type: 'Pass', Next: 'Nowhere' } });

const remembered = () => JSON.parse(readFileSync(join(dir, 'sound.json'), 'utf8'));
const remember = (what: object) => writeFileSync(join(dir, 'sound.json'), JSON.stringify(what));
const hashOf = ({ definition }: typeof sound) => hash('sha256', JSON.stringify(definition));

describe('definitions of machines', () => {
  it('are refused at every start if they cannot be run', async () => {
    await expect(soundMachines(dir, [sound, broken])).rejects.toThrow('cannot be run');
    await expect(soundMachines(dir, [sound, broken])).rejects.toThrow('cannot be run');
    expect(existsSync(join(dir, 'sound.json'))).toBe(false);
  });

  it('are not checked again after they were found valid', async () => {
    expect(await soundMachines(dir, [sound])).toEqual([sound]);
    remember({ ...remembered(), sound: [hashOf(broken)] });
    expect(await soundMachines(dir, [broken])).toEqual([broken]);
  });

  it('are checked again by another version of the checker, or if the stored result is damaged', async () => {
    await soundMachines(dir, [sound]);
    remember({ judge: 'an older version', sound: [hashOf(broken)] });
    await expect(soundMachines(dir, [broken])).rejects.toThrow('cannot be run');
    writeFileSync(join(dir, 'sound.json'), '{"judge":');
    expect(await soundMachines(dir, [sound])).toEqual([sound]);
  });
});
