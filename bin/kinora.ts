/** The CDK app: the stacks of the environment that `-c env=dev|preview|prod` names. */
import { App } from 'aws-cdk-lib';
import { environmentFrom } from '../lib/environments.ts';
import { kinora } from '../lib/kinora.ts';

const app = new App({ analyticsReporting: false });
kinora(app, environmentFrom(app.node));
app.synth();
